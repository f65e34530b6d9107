// SPDX-License-Identifier: GPL-3.0-or-later
// Light or dark, and the search of search.html: all words must be found; titles count more than headings, those more than text.
(function () {
  "use strict";
  var html = document.documentElement, key = "nssim-theme", kept = null;
  try { kept = localStorage.getItem(key); } catch (e) { /* file:// without storage */ }
  var asked = new URLSearchParams(location.search).get("theme");
  if (asked || kept) html.dataset.theme = asked || kept;
  document.getElementById("theme").addEventListener("click", function () {
    var dark = html.dataset.theme ? html.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    html.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem(key, html.dataset.theme); } catch (e) { /* as above */ }
  });

  var list = document.getElementById("results");
  if (!list) return;
  var query = (new URLSearchParams(location.search).get("q") || "").trim();
  document.querySelector("input[name=q]").value = query;

  function count(text, word) { return text.toLowerCase().split(word).length - 1; }
  function score(page, words) {
    var total = 0;
    for (var i = 0; i < words.length; i++) {
      var w = words[i], title = page[1].toLowerCase();
      var s = (title.indexOf(w) >= 0 ? 40 : 0) + (title.replace(/[<>]/g, "") === w ? 200 : 0) + Math.min(count(page[3], w), 10);
      page[2].forEach(function (h) { if (h[1].toLowerCase().indexOf(w) >= 0) s += 8; });
      if (!s) return 0;
      total += page[0] === "bibliography.html" ? s / 10 : s;
    }
    return total;
  }
  function heading(page, words) { // the first heading that has a word
    var found = page[2].filter(function (h) { return words.some(function (w) { return h[1].toLowerCase().indexOf(w) >= 0; }); })[0];
    return found ? "#" + found[0] : "";
  }
  function excerpt(p, text, words) { // some words around the first that was sought, which are marked
    var low = text.toLowerCase(), at = Math.min.apply(null, words.map(function (w) { return (low.indexOf(w) + 1 || 1e9) - 1; }));
    var from = at < 1e8 && at > 90 ? text.indexOf(" ", at - 90) + 1 : 0, to = text.lastIndexOf(" ", from + 240);
    if (from + 240 >= text.length) to = text.length;
    var part = (from ? "... " : "") + text.slice(from, to) + (to < text.length ? " ..." : "");
    for (var i = 0; i < part.length;) {
      var next = part.length, long = 0;
      words.forEach(function (w) {
        var k = part.toLowerCase().indexOf(w, i);
        if (k >= 0 && (k < next || (k === next && w.length > long))) { next = k; long = w.length; }
      });
      p.append(part.slice(i, next));
      if (long) {
        var mark = document.createElement("mark");
        mark.textContent = part.slice(next, next + long);
        p.append(mark);
      }
      i = next + long;
    }
  }
  function show() {
    var words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return;
    var found = nssim_pages.map(function (p) { return [score(p, words), p]; }).filter(function (x) { return x[0]; });
    found.sort(function (a, b) { return b[0] - a[0]; });
    found.slice(0, 50).forEach(function (x) {
      var li = document.createElement("li"), a = document.createElement("a"), p = document.createElement("p");
      a.href = x[1][0] + heading(x[1], words);
      a.textContent = x[1][1];
      excerpt(p, x[1][3], words);
      li.append(a, p);
      list.append(li);
    });
    if (!found.length) list.insertAdjacentText("beforebegin", "Nothing has all of these words.");
  }
  show();
}());
