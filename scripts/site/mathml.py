# SPDX-License-Identifier: GPL-3.0-or-later
"""Formulas as the language table writes them ("M (v+ - v) = h f, y >= 0") as MathML.

A run of symbols that holds a relation (=, <=, _|_, ...) or a power is a formula; words around it stay text. What is a symbol: single
letters, numbers, the names of SYMBOLS, and anything in the brackets of a formula.
"""

import html
import re

GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "lambda": "λ", "mu": "μ",
         "omega": "ω", "Omega": "Ω", "phi": "φ", "Phi": "Φ", "pi": "π", "psi": "ψ", "Psi": "Ψ", "rho": "ρ", "sigma": "σ", "tau": "τ", "theta": "θ",
         "eta": "η", "xi": "ξ", "Gamma": "Γ", "Theta": "Θ", "kappa": "κ", "nu": "ν", "zeta": "ζ"}
DOTTED = {"xdot": "x", "ydot": "y", "vdot": "v", "qdot": "q"}
UPRIGHT = {"sin", "cos", "tan", "cot", "exp", "log", "sqrt", "min", "max", "sign", "abs", "prox", "proj", "ln"}
NAMES = {"fExt", "fInt", "fGyr", "mExt", "mInt", "vfree", "dv", "dt", "dr", "dh", "dQ", "dH", "dM", "dq", "offset", "ratio",
         "lower", "upper", "angle", "lb", "ub", "hDot", "HDot", "dx", "du", "dy", "mu_rolling", "d1", "d2", "en", "et", "muRolling"}
OPERATORS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "_|_": "⊥", "->": "→", "*": "·", "-": "−", "|": "|", "=": "=", "+": "+",
             "/": "/", "<": "<", ">": ">", "(": "(", ")": ")", "[": "[", "]": "]", ",": ",", ".": "·", "'": "′", "''": "″"}
RELATIONS = {"<=", ">=", "=", "_|_", "!=", "==", "<", ">"}

# A subscript can be that of the next or the last step: x_i-1, q_k+1.
TOKEN = re.compile(r"[A-Za-z]\w*_[ikn][-+]1\b|_\|_|<=|>=|!=|==|->|''|[A-Za-z]\w*|\d+(?:\.\d+)?(?:e[-+]?\d+)?|\^|\S")


# A bracket with words of a sentence, or with a year: (and e <= 0.5), (De Saxce and Feng 1998).
SAID = re.compile(r"\([^()]*\b(?:and|or|the|of|is|for|(?:18|19|20)\d\d)\b")


def is_symbol(name):
    base = name.split("_")[0] if "_" in name else name
    return (len(base) == 1 and base.isalpha()) or base in GREEK or base in DOTTED or base in UPRIGHT or name in NAMES or \
        re.fullmatch(r"[A-Za-z]\d", name) is not None


def identifier(name):
    base, _, sub = name.partition("_")
    if base in GREEK:
        out = f"<mi>{GREEK[base]}</mi>"
    elif base in DOTTED:
        out = f"<mover><mi>{DOTTED[base]}</mi><mo>˙</mo></mover>"
    elif base in UPRIGHT:
        out = f'<mi mathvariant="normal">{base}</mi>'
    elif re.fullmatch(r"[A-Za-z]\d", base):
        out = f"<msub><mi>{base[0]}</mi><mn>{base[1]}</mn></msub>"
    else:
        out = f"<mi>{html.escape(base)}</mi>"
    if sub[1:] in ("-1", "+1"):
        return f"<msub>{out}<mrow><mi>{sub[0]}</mi><mo>{OPERATORS[sub[1]]}</mo><mn>1</mn></mrow></msub>"
    return f"<msub>{out}<mi>{GREEK.get(sub, sub)}</mi></msub>" if sub else out


def atom(tokens, i):
    """(MathML of the token at i, index behind it, whether it can bear a superscript)."""
    t = tokens[i][0]
    if t == "x" and 0 < i < len(tokens) - 1 and all(n in GREEK or n.isalpha() and n.isupper() for n in (tokens[i - 1][0], tokens[i + 1][0])):
        return "<mo>×</mo>", i + 1, False  # Omega x I Omega, a product of vectors
    if t[0].isalpha():
        return identifier(t), i + 1, True
    if t[0].isdigit():
        return f"<mn>{t}</mn>", i + 1, True
    if t in "([":
        inner, i = row(tokens, i + 1, ")" if t == "(" else "]")
        close = ")" if t == "(" else "]"
        return f'<mrow><mo stretchy="false">{t}</mo>{inner}<mo stretchy="false">{close}</mo></mrow>', i, True
    sign = html.escape(OPERATORS.get(t, t))
    if t in "|/":  # |x| and x/y stand close together
        return f'<mo stretchy="false" lspace="0" rspace="0">{sign}</mo>', i + 1, False
    if t in "+-" and (i == 0 or tokens[i - 1][0] in RELATIONS or tokens[i - 1][0] in ",;"):
        return f'<mo form="prefix">{sign}</mo>', i + 1, False
    return f"<mo>{sign}</mo>", i + 1, False


def superscript(tokens, i):
    """What stands above the atom before i, as MathML, and the index behind it; "" where nothing does."""
    if i >= len(tokens):
        return "", i
    t, space, after = tokens[i]
    if t == "^" and i + 1 < len(tokens):
        if tokens[i + 1][0] in "+-" and i + 2 < len(tokens):
            inner, j, _ = atom(tokens, i + 2)
            return f"<mrow><mo>{OPERATORS[tokens[i + 1][0]]}</mo>{inner}</mrow>", j
        inner, j, _ = atom(tokens, i + 1)
        return inner, j
    if t in ("'", "''"):
        return f"<mo>{OPERATORS[t]}</mo>", i + 1
    if t in "+-" and not space and after:  # v+ is the velocity after, ydot- the one before
        return f"<mo>{OPERATORS[t]}</mo>", i + 1
    return "", i


def row(tokens, i, end=None):
    out, last, after_word = [], False, False
    while i < len(tokens) and tokens[i][0] != end:
        name = tokens[i][0].partition("_")[0]
        word = name in NAMES and len(name) > 1 and not name[1].isdigit()
        base, i, bears = atom(tokens, i)
        if bears and last and (word or after_word):
            out.append('<mspace width="0.2em"/>')  # en u is a product of two names
        last, after_word = bears, word
        up, i = superscript(tokens, i) if bears else ("", i)
        if up and base.startswith("<msub>"):
            out.append(f"<msubsup>{base[len('<msub>'):-len('</msub>')]}{up}</msubsup>")
        else:
            out.append(f"<msup>{base}{up}</msup>" if up else base)
    return "".join(out), i + 1


def scan(text):
    """(token, its begin, end, whether space stands before it, whether space or a closing sign stands behind it)."""
    for m in TOKEN.finditer(text):
        before = m.start() == 0 or text[m.start() - 1].isspace()
        after = m.end() == len(text) or text[m.end()].isspace() or text[m.end()] in "),;"
        yield m.group(), m.start(), m.end(), before, after


def runs(text):
    """Stretches (begin, end) of text that are formulas."""
    tokens, depth, start, found = list(scan(text)), 0, None, []
    for k, (t, a, b, before, after) in enumerate(tokens):
        mathy = (is_symbol(t) if t[0].isalpha() else t[0].isdigit() or t in OPERATORS or t == "^") or \
            depth > 0 and t[0].isalpha() and len(t) <= 7
        if t[0].isalpha() and not mathy and k and tokens[k - 1][0] in "<=>=+-*/" and start is not None:
            mathy = k + 1 == len(tokens) or not tokens[k + 1][0][0].isalnum()  # a word in place of a symbol: q + impulses
        if t == "." and not (before and after):
            mathy = False
        if t in "([" and start is None and not (k and tokens[k - 1][2] == a) or t == "(" and before and SAID.match(text, a):
            mathy = False  # a bracket of the sentence
        if t == "=" and not before and after:
            mathy = False  # the attribute angle=
        if t == "," and depth == 0:
            mathy = False
        if mathy and t in "([":
            depth += 1
        if mathy and t in ")]":
            if depth == 0:
                mathy = False
            else:
                depth -= 1
        if mathy:
            if start is None:
                start = k
        elif start is not None:
            found.append((start, k))
            start, depth = None, 0
    if start is not None:
        found.append((start, len(tokens)))
    for first, last in found:
        # An article is no factor, nor does a formula begin or end with a sign of the sentence.
        bars = sum(t[0] == "|" for t in tokens[first:last]) % 2
        while last > first and (tokens[last - 1][0] in (".", "/", "*", "^", "(", "[") or tokens[last - 1][0] == "|" and bars or
                                tokens[last - 1][0] in "<=>=+-" and tokens[last - 1][3] or tokens[last - 1][0] == "=" or
                                tokens[last - 1][0] in ("a", "A") and tokens[last - 2][0] not in OPERATORS and
                                text[tokens[last - 1][2]:tokens[last - 1][2] + 1] not in (",", ";", "", "\n")):
            last -= 1
        while first < last and (tokens[first][0] in (".", "-", "'", "/", ")", "=", "+", "*") or
                                tokens[first][0] in ("a", "A") and first + 1 < last and tokens[first + 1][0] not in OPERATORS):
            first += 1
        inside = tokens[first:last]
        powers = len(inside) > 3 and has_powers([t[0] for t in inside]) and text[max(0, inside[0][1] - 1):inside[0][1]] not in (">", "-", "}")
        if len(inside) > 2 and (powers or any(t[0] in RELATIONS for t in inside)) and balanced(inside):
            yield inside[0][1], inside[-1][2]


def has_powers(words):
    """Whether a product has powers that are none of a unit (m^2) or of a derivative."""
    at = [k for k, w in enumerate(words) if w == "^" and k]
    return bool(at) and "'" not in words and all(words[k - 1] != "m" for k in at) and any(w[0].isalpha() for w in words)


def balanced(tokens):
    depth = 0
    for t in tokens:
        depth += (t[0] in "([") - (t[0] in ")]")
        if depth < 0:
            return False
    return depth == 0


def formula(text):
    """One formula as a <math> element."""
    tokens = [(t, before, after) for t, _, _, before, after in scan(text)]
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>{row(tokens, 0)[0]}</mrow></math>'


# <along>, <RelayNSL lb="-1"/>: an element of a model, no two comparisons.
ELEMENT = re.compile(r"(</?[A-Za-z][\w:]*(?:\s[^<>]*)?/?>)")


def sentence(text):
    """Text with its formulas as MathML, the rest escaped; elements in <brackets> are code."""
    out = []
    for k, part in enumerate(ELEMENT.split(text)):
        if k % 2:
            out.append(f"<code>{html.escape(part, quote=False)}</code>")
            continue
        at = 0
        for a, b in runs(part):
            out += [html.escape(part[at:a], quote=False), formula(part[a:b])]
            at = b
        out.append(html.escape(part[at:], quote=False))
    return "".join(out)


def is_formula(line):
    """Whether a line is a formula, with words behind it at most."""
    if ELEMENT.match(line.strip()):
        return False
    first = next(runs(line.strip()), None)
    return first is not None and first[0] == 0
