# SPDX-License-Identifier: GPL-3.0-or-later
"""The Markdown of this repository as well-formed HTML: headings, paragraphs, lists, fenced blocks, tables, quotes,
code, emphasis, links and pictures."""

import html
import re


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"<[^>]*>", "", text).lower()).strip("-") or "section"


def inline(text, link):
    """One paragraph; link(target) is what a target becomes on the site."""
    kept = []

    def keep(markup):
        kept.append(markup)
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m.group(2).strip(), quote=False)}</code>"), text)
    text = html.escape(text, quote=False)
    text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)",
                  lambda m: keep(f'<img src="{html.escape(link(m.group(2)))}" alt="{html.escape(m.group(1))}"/>'), text)
    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", lambda m: f'<a href="{html.escape(link(m.group(2)))}">{m.group(1)}</a>', text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*(?!\s)([^*]+?)(?<!\s)\*(?![\w*])", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub("\0(\\d+)\0", lambda m: kept[int(m.group(1))], text)
    return text


def highlight(code, language):
    """Comments, tags and strings of XML; comments of scripts."""
    code = html.escape(code, quote=False)
    if language == "xml":
        code = re.sub(r"(&lt;!--.*?--&gt;)|(&lt;/?[\w:]+)((?:[^&]|&(?!gt;))*?)(/?&gt;)",
                      lambda m: f'<span class="c">{m.group(1)}</span>' if m.group(1) else
                      f'<span class="k">{m.group(2)}</span>' +
                      re.sub(r'("[^"]*")', r'<span class="s">\1</span>', m.group(3)) + f'<span class="k">{m.group(4)}</span>',
                      code, flags=re.DOTALL)
    elif language in ("sh", "python", "octave", "r"):
        code = re.sub(r"(^|\s{2,})([#%] .*)$", r'\1<span class="c">\2</span>', code, flags=re.MULTILINE)
    return code


def fence(code, words):
    language = words[0] if words else ""
    name = f'<figcaption>{html.escape(words[1])}</figcaption>' if len(words) == 2 and "." in words[1] else ""
    kind = f' class="{"said" if language == "text" else "code"}"'
    body = f"<pre{kind}><code>{highlight(code, language)}</code></pre>"
    return f"<figure>{name}{body}</figure>" if name else body


def cells(line):
    line = line.strip().strip("|")
    return [c.strip().replace("\1", "|") for c in re.sub(r"`[^`]*`", lambda m: m.group().replace("|", "\1"), line).split("|")]


def table(lines, link):
    head, rows = cells(lines[0]), [cells(x) for x in lines[2:]]
    out = ['<div class="wide"><table>']
    if any(head):
        out.append("<thead><tr>" + "".join(f"<th>{inline(c, link)}</th>" for c in head) + "</tr></thead>")
    out.append("<tbody>")
    out += ["<tr>" + "".join(f"<td>{inline(c, link)}</td>" for c in r + [""] * (len(head) - len(r))) + "</tr>" for r in rows]
    return "\n".join(out + ["</tbody></table></div>"])


ITEM = re.compile(r"(\*|-|\d+\.) +")


def convert(text, link=lambda target: target):
    """(HTML, [(level, id, heading)])."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    lines, out, toc, used, i = text.split("\n"), [], [], set(), 0
    while i < len(lines):
        line = lines[i]
        if not line.strip():
            i += 1
        elif line.startswith("```"):
            j = i + 1
            while j < len(lines) and not lines[j].startswith("```"):
                j += 1
            out.append(fence("\n".join(lines[i + 1:j]), line[3:].split()))
            i = j + 1
        elif re.match(r"#{1,6} ", line):
            level = len(line) - len(line.lstrip("#"))
            words = inline(line[level:].strip(), link)
            name = base = slug(words)
            k = 2
            while name in used:
                name, k = f"{base}-{k}", k + 1
            used.add(name)
            toc.append((level, name, words))
            out.append(f'<h{level} id="{name}">{words}</h{level}>')
            i += 1
        elif line.lstrip().startswith("|") and i + 1 < len(lines) and re.fullmatch(r"[\s|:-]+", lines[i + 1]):
            j = i
            while j < len(lines) and lines[j].lstrip().startswith("|"):
                j += 1
            out.append(table(lines[i:j], link))
            i = j
        elif ITEM.match(line):
            tag, items = ("ol" if line[0].isdigit() else "ul"), []
            while i < len(lines) and (ITEM.match(lines[i]) or (lines[i].startswith(" ") and lines[i].strip())):
                if ITEM.match(lines[i]):
                    items.append(ITEM.sub("", lines[i], count=1))
                else:
                    items[-1] += " " + lines[i].strip()
                i += 1
            out.append(f"<{tag}>" + "".join(f"<li>{inline(x, link)}</li>" for x in items) + f"</{tag}>")
        else:
            j = i
            while j < len(lines) and lines[j].strip() and not lines[j].startswith(("```", "#", "|")) and not ITEM.match(lines[j]):
                j += 1
            j = max(j, i + 1)
            out.append(f"<p>{inline(' '.join(x.strip() for x in lines[i:j]), link)}</p>")
            i = j
    return "\n".join(out), toc
