/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/symbols.h"

#include "base/suggest.h"
#include "plugin/text.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Start of an ELF file, of any class: the fields used here lie at the same place. */
typedef struct head {
  unsigned char ident[EI_NIDENT];
  uint16_t type, machine;
} head;

static int read_head(const char *path, head *h)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return -1;
  ssize_t n = read(fd, h, sizeof *h);
  close(fd);
  return n == (ssize_t)sizeof *h && memcmp(h->ident, ELFMAG, SELFMAG) == 0 ? 1 : n == 0 ? 2 : 0;
}

static const char *machine_name(const head *h, char *buf, size_t n)
{
  static const struct {
    int machine;
    const char *name;
  } known[] = {{EM_X86_64, "x86-64"}, {EM_386, "i386"},         {EM_AARCH64, "AArch64"},
               {EM_ARM, "ARM"},       {EM_PPC64, "PowerPC 64"}, {EM_RISCV, "RISC-V"},
               {EM_S390, "S/390"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].machine == h->machine) return known[i].name;
  snprintf(buf, n, "ELF machine %d", h->machine);
  return buf;
}

/* A file cut short (full disk, broken copy) kills who loads it: the dynamic loader maps what it is
 * told to and meets a SIGBUS. Of this machine's class. */
static int is_cut(const char *path)
{
  ElfW(Ehdr) e;
  ElfW(Phdr) ph;
  struct stat st;
  int cut = 0, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return 0;
  if (fstat(fd, &st) == 0 && pread(fd, &e, sizeof e, 0) == (ssize_t)sizeof e) {
    size_t size = (size_t)st.st_size;
    for (int i = 0; i < e.e_phnum && !cut; i++) {
      off_t at = (off_t)(e.e_phoff + (size_t)i * sizeof ph);
      cut = pread(fd, &ph, sizeof ph, at) != (ssize_t)sizeof ph ||
            (ph.p_type == PT_LOAD && (ph.p_offset > size || ph.p_filesz > size - ph.p_offset));
    }
  } else {
    cut = 1;
  }
  close(fd);
  return cut;
}

void ns_symbols_unfit(const char *path, char *buf, size_t n)
{
  head h, self;
  char a[32], b[32];
  int kind = read_head(path, &h);
  buf[0] = '\0';
  if (kind == 2) snprintf(buf, n, "is an empty file");
  else if (kind == 0)
    snprintf(buf, n,
             "is not a shared library (it has no ELF header); build it with cc -fPIC -shared");
  else if (kind == 1 && h.type == ET_REL)
    snprintf(buf, n, "is an object file, not a shared library; build it with cc -fPIC -shared");
  else if (kind == 1 && read_head("/proc/self/exe", &self) == 1 &&
           (self.machine != h.machine || memcmp(self.ident, h.ident, EI_VERSION)))
    snprintf(buf, n, "is compiled for another machine (%s, here %s); compile it here",
             machine_name(&h, a, sizeof a), machine_name(&self, b, sizeof b));
  else if (kind == 1 && is_cut(path))
    snprintf(buf, n, "is truncated (a failed copy?); build it again");
}

/* ---- functions of a mapped file; every offset is held against its size ----------------------- */

typedef struct image {
  const char *map;
  size_t size;
  const ElfW(Sym) * sym;
  size_t nsym;
  const char *str;
  size_t nstr;
} image;

static const void *part(const image *m, size_t at, size_t count, size_t size)
{
  if (at > m->size || at % sizeof(ElfW(Addr)) || (count && size > (m->size - at) / count))
    return NULL;
  return m->map + at;
}

static int find_tables(image *m)
{
  const ElfW(Ehdr) *e = part(m, 0, 1, sizeof *e);
  if (!e || e->e_shentsize != sizeof(ElfW(Shdr))) return -1;
  const ElfW(Shdr) *s = part(m, e->e_shoff, e->e_shnum, sizeof *s);
  if (!s) return -1;
  for (int i = 0; i < e->e_shnum; i++) {
    if (s[i].sh_type != SHT_DYNSYM || s[i].sh_link >= e->e_shnum) continue;
    const ElfW(Shdr) *names = &s[s[i].sh_link];
    m->nsym = s[i].sh_size / sizeof *m->sym;
    m->sym = part(m, s[i].sh_offset, m->nsym, sizeof *m->sym);
    m->nstr = names->sh_size;
    if (names->sh_offset > m->size || m->nstr > m->size - names->sh_offset || m->nstr == 0)
      return -1;
    m->str = m->map + names->sh_offset;
    return m->sym && m->str[m->nstr - 1] == '\0' ? 0 : -1;
  }
  return -1;
}

/* Name of symbol i where it is a function that others can call, else NULL. */
static const char *function_name(const image *m, size_t i)
{
  const ElfW(Sym) *s = &m->sym[i];
  int type = s->st_info & 15, bind = s->st_info >> 4;
  if (type != STT_FUNC || s->st_shndx == SHN_UNDEF || bind == STB_LOCAL || s->st_name >= m->nstr)
    return NULL;
  const char *name = m->str + s->st_name;
  return *name && strcmp(name, "_init") && strcmp(name, "_fini") ? name : NULL;
}

/* C++ names of functions: _Z, length, name, types of the arguments. */
static int is_cxx_name_of(const char *name, const char *wanted)
{
  char start[300];
  int n = snprintf(start, sizeof start, "_Z%zu%s", strlen(wanted), wanted);
  return n > 0 && (size_t)n < sizeof start && strncmp(name, start, (size_t)n) == 0;
}

static void hint(const image *m, const char *wanted, char *buf, size_t n)
{
  int count = 0;
  ns_suggest s = ns_suggest_for(wanted, strlen(wanted));
  for (size_t i = 0; i < m->nsym; i++) {
    const char *name = function_name(m, i);
    if (!name) continue;
    count++;
    if (is_cxx_name_of(name, wanted)) {
      snprintf(buf, n,
               "; it has the C++ function %s: declare it extern \"C\" (or NSSIM_EXPORT) and "
               "compile again",
               name);
      return;
    }
    ns_suggest_offer(&s, name);
  }
  if (s.best) {
    snprintf(buf, n, "; did you mean \"%s\"?", s.best);
    return;
  }
  snprintf(buf, n, count ? "; its functions are" : "; it exports no function at all");
  for (size_t i = 0, listed = 0; i < m->nsym && listed < 8; i++) {
    const char *name = function_name(m, i);
    if (!name) continue;
    ns_plugin_append(buf, n, "%s %.80s", listed ? "," : "", name);
    listed++;
  }
  if (count > 8) ns_plugin_append(buf, n, " and %d more", count - 8);
}

void ns_symbols_hint(const char *path, const char *wanted, char *buf, size_t n)
{
  struct stat st;
  buf[0] = '\0';
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && st.st_size > 0) {
    image m = {.size = (size_t)st.st_size};
    void *map = mmap(NULL, m.size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map != MAP_FAILED) {
      m.map = map;
      if (find_tables(&m) == 0) hint(&m, wanted, buf, n);
      munmap(map, m.size);
    }
  }
  close(fd);
}
