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
  function excerpt(text, words) {
    var at = text.toLowerCase().indexOf(words[0]);
    return (at > 80 ? "... " : "") + text.slice(Math.max(0, at - 80), Math.max(0, at) + 160) + " ...";
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
      p.textContent = excerpt(x[1][3], words);
      li.append(a, p);
      list.append(li);
    });
    if (!found.length) list.insertAdjacentText("beforebegin", "Nothing has all of these words.");
  }
  show();
}());
