// Draws the plots of the page from the data in it. Everything they show is also in tables.
(function () {
  "use strict";
  var plots = new Map(JSON.parse(document.getElementById("plots").textContent).map(function (p) { return [p.id, p]; }));
  var places = Array.from(document.querySelectorAll("[data-plot]"));
  var root = document.documentElement;
  var PAPER = 690; // pixels across a printed page
  var NAMED = 420; // pixels from which on there is room for names in a drawing
  var CROWDED = 700; // and for those of lines that are drawn quietly
  var STRONG = 3; // the last style that is drawn strongly
  var drawn = [];

  function paper() { return root.classList.contains("paper"); }
  function look(name) { return getComputedStyle(root).getPropertyValue(name).trim(); }

  function number(v) {
    if (v === 0) { return "0"; }
    var a = Math.abs(v);
    return v.toLocaleString("en-US", a >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
  }
  function short(v) { return Math.abs(v) >= 10000 ? number(v / 1000) + "k" : number(v); }
  function time(us) { return us < 1000 ? number(us) + " µs" : us < 1e6 ? number(us / 1000) + " ms" : number(us / 1e6) + " s"; }
  function tail(v) { return v <= 1 ? "0" : String(+(100 - 100 / v).toFixed(6)) + "%"; }
  var words = { count: number, micros: time, tail: tail };

  // Ones, twos and fives where there is room for them, else only powers of ten.
  function steps(from, to, room) {
    var decades = Math.log10(to / from), all = [];
    var digits = decades * 3 <= room ? [1, 2, 5] : [1];
    for (var e = Math.floor(Math.log10(from)); e <= Math.ceil(Math.log10(to)); e++) {
      digits.forEach(function (d) {
        var v = d * Math.pow(10, e);
        if (v >= from * 0.999 && v <= to * 1.001) { all.push(v); }
      });
    }
    return all;
  }
  // Leaves out numbers that would touch the one before.
  function apart(ticks, from, to, pixels, least) {
    var last = -Infinity;
    return ticks.filter(function (t) {
      var at = Math.log(t / from) / Math.log(to / from) * pixels;
      if (at - last < least) { return false; }
      last = at;
      return true;
    });
  }

  function axis(spec, across, small) {
    var size = (paper() ? 8.5 : small ? 11 : 12) + "px ";
    var a = {
      stroke: look("--soft"), font: size + look("--sans"),
      grid: { stroke: look("--grid"), width: 1 }, ticks: { show: false }, gap: 6,
      size: across ? (small ? 24 : 30) : (small ? 46 : 62),
      label: small ? null : spec.label, labelFont: size + look("--sans"), labelSize: 20, labelGap: across ? 2 : 0,
      values: function (u, splits) { return splits.map(across && spec.unit === "count" ? number : spec.unit === "count" ? short : words[spec.unit]); }
    };
    if (spec.log) {
      a.filter = function (u, splits) { return splits; };
      a.splits = function (u, index, from, to) {
        var pixels = (across ? u.bbox.width : u.bbox.height) / devicePixelRatio;
        if (spec.unit === "tail") { return apart([1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7].filter(function (v) { return v >= from && v <= to; }), from, to, pixels, 62); }
        var all = spec.ticks.length ? spec.ticks : steps(from, to, pixels / (across ? 60 : 24));
        return apart(all, from, to, pixels, across ? 40 : 16);
      };
    } else if (small) {
      a.space = across ? 40 : 30;
      if (across) { a.incrs = [1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600]; }
    }
    return a;
  }

  function scale(spec, across) {
    if (!spec.log) {
      return { time: false, range: function (u, from, to) { return across ? [0, Math.max(1, to)] : [0, to > 0 ? to * 1.08 : 1]; } };
    }
    return {
      time: false, distr: 3,
      range: function (u, from, to) {
        if (spec.to > 0) { from = spec.from; to = spec.to; }
        if (!(from > 0)) { from = 1; to = 10; }
        var margin = spec.unit === "tail" ? 1 : across ? 1.25 : 1.4;
        return [from / margin, to * margin];
      }
    };
  }

  function series(line, small) {
    var colour = line.mark === "reference" ? look("--line") : look("--s" + line.style);
    var dash = line.mark === "reference" ? "0" : line.mark === "dashed" ? "4 3" : small ? "0" : look("--d" + line.style);
    var dots = line.mark === "dots";
    dash = dash.split(" ").map(Number);
    return {
      label: line.name, stroke: dots ? colour + "b0" : colour, spanGaps: true,
      width: dots ? 0 : line.mark === "reference" ? 8 : line.mark === "line" ? weight(line.style, small) : 1.25,
      dash: dash.length > 1 ? dash : undefined,
      alpha: line.mark === "thin" ? 0.8 : 1,
      paths: dots ? function () { return null; } : undefined,
      points: dots ? { show: true, size: line.style ? 4 : 5, width: 1, stroke: colour + "b0", fill: look("--page") } : { show: false }
    };
  }
  function weight(style, small) { return small ? 1.75 : style === 0 ? 4 : style <= STRONG ? 2.25 : 1.5; }

  // Markers are in the legend as paths; drawings take them from there.
  function markers(u, lines, place) {
    var c = u.ctx, page = look("--page");
    lines.filter(named).forEach(function (l) {
      var shape = place.parentNode.querySelector(".legend .s" + l.style + " path");
      if (!shape) { return; }
      var path = new Path2D(shape.getAttribute("d")), colour = look("--s" + l.style);
      var hollow = shape.classList.contains("hollow"), size = devicePixelRatio * (l.style === 0 ? 1.25 : 1);
      l.points.forEach(function (p) {
        c.save();
        c.translate(u.valToPos(p[0], "x", true), u.valToPos(p[1], "y", true));
        c.scale(size, size);
        c.lineWidth = hollow ? 2 : 1.5;
        c.strokeStyle = hollow ? colour : page;
        c.fillStyle = hollow ? page : colour;
        c.stroke(path);
        c.fill(path);
        c.restore();
      });
    });
  }
  function named(line) { return line.mark === "line"; }
  function font() { return 12 * devicePixelRatio + "px " + look("--sans"); }

  // Names beside the last point of their lines, the most important first; a name that finds no room is in the legend only.
  function names(u, lines, last) {
    var c = u.ctx, px = devicePixelRatio, box = u.bbox, taken = [];
    function point(p) { return [u.valToPos(p[0], "x", true), u.valToPos(p[1], "y", true)]; }
    function free(b) {
      return b[0] >= box.left && b[2] <= c.canvas.width && b[1] >= 0 && b[3] <= box.top + box.height + 6 * px &&
        taken.every(function (t) { return b[2] <= t[0] || b[0] >= t[2] || b[3] <= t[1] || b[1] >= t[3]; });
    }
    lines.forEach(function (l) {
      l.points.map(point).forEach(function (p) { taken.push([p[0] - 6 * px, p[1] - 6 * px, p[0] + 6 * px, p[1] + 6 * px]); });
    });
    c.save();
    c.font = font();
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.lineJoin = "round";
    lines.filter(function (l) { return l.style <= last; }).sort(function (a, b) { return a.style - b.style; }).forEach(function (l) {
      var end = point(l.points[l.points.length - 1]), wide = c.measureText(l.name).width, spots = [];
      [0, 1, -1, 2, -2, 3, -3].forEach(function (step) { [8 * px, -8 * px - wide].forEach(function (dx) { spots.push([end[0] + dx, end[1] + step * 7 * px]); }); });
      var spot = spots.find(function (s) { return free([s[0], s[1] - 7 * px, s[0] + wide, s[1] + 7 * px]); });
      if (!spot) { return; }
      taken.push([spot[0], spot[1] - 7 * px, spot[0] + wide, spot[1] + 7 * px]);
      c.strokeStyle = look("--page");
      c.lineWidth = 4 * px;
      c.strokeText(l.name, spot[0], spot[1]);
      c.fillStyle = look("--s" + l.style);
      c.fillText(l.name, spot[0], spot[1]);
    });
    c.restore();
  }
  // Room at the right for the names of lines that end there.
  function margin(lines, width) {
    if (width < NAMED) { return 16; }
    var c = document.createElement("canvas").getContext("2d");
    c.font = font();
    var last = Math.max.apply(null, lines.filter(named).map(end));
    return Math.max.apply(null, lines.filter(function (l) { return named(l) && end(l) === last; })
      .map(function (l) { return 16 + c.measureText(l.name).width / devicePixelRatio; }).concat(16));
  }
  function end(line) { return line.points[line.points.length - 1][0]; }

  // One row of x for all lines, with gaps where a line has no point.
  function aligned(lines) {
    var xs = Array.from(new Set(lines.flatMap(function (l) { return l.points.map(function (p) { return p[0]; }); })));
    xs.sort(function (a, b) { return a - b; });
    return [xs].concat(lines.map(function (l) {
      var at = new Map(l.points);
      return xs.map(function (x) { return at.has(x) ? at.get(x) : null; });
    }));
  }

  function readout(spec, lines, place) {
    if (spec.small) { return function () {}; }
    var text = place.parentNode.querySelector(".readout");
    if (!text) {
      text = document.createElement("p");
      text.className = "readout";
      text.setAttribute("aria-hidden", "true");
      place.parentNode.append(text);
    }
    return function (u) {
      var i = u.cursor.idx;
      text.textContent = i == null ? "" : words[spec.x.unit](u.data[0][i]) + " " + spec.x.label + ": " +
        lines.map(function (l, n) { return [l, u.data[n + 1][i]]; })
          .filter(function (e) { return e[0].mark !== "dots" && e[1] != null; })
          .sort(function (a, b) { return b[1] - a[1]; })
          .map(function (e) { return e[0].name + " " + words[spec.y.unit](e[1]); }).join(" · ");
    };
  }

  function draw(place, width) {
    var spec = plots.get(place.dataset.plot);
    // What was asked lies below everything, and what matters most above everything.
    var lines = spec.lines.slice().reverse().sort(function (a, b) { return rank(b) - rank(a); });
    var say = readout(spec, lines, place), wide = !spec.small && width >= NAMED;
    place.textContent = "";
    return new uPlot({
      width: width, height: spec.small ? (spec.y.log ? 160 : 130) : Math.round(Math.min(460, Math.max(250, width * 0.5))),
      padding: [8, spec.small ? 10 : margin(lines, width), 0, 0], legend: { show: false },
      cursor: { show: !spec.small, y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: scale(spec.x, true), y: scale(spec.y, false) },
      axes: [axis(spec.x, true, spec.small), axis(spec.y, false, spec.small)],
      series: [{}].concat(lines.map(function (l) { return series(l, spec.small); })),
      hooks: {
        setCursor: [say],
        draw: [function (u) {
          if (!spec.small) { markers(u, lines, place); }
          if (wide) { names(u, lines.filter(named), width >= CROWDED ? Infinity : STRONG); }
        }]
      }
    }, aligned(lines), place);
  }
  function rank(line) { return line.mark === "reference" ? Infinity : line.style; }

  function all() {
    drawn.forEach(function (u) { u.destroy(); });
    drawn = places.map(function (place) {
      var box = place.parentNode.parentNode.classList;
      var width = !paper() ? place.clientWidth : box.contains("small") ? PAPER / 4 - 12 : box.contains("pair") ? PAPER / 2 - 12 : PAPER;
      return draw(place, Math.floor(width));
    });
  }

  all();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  var before = innerWidth;
  addEventListener("resize", function () {
    if (innerWidth !== before) { before = innerWidth; all(); }
  });
  addEventListener("beforeprint", function () {
    root.classList.add("paper");
    document.querySelectorAll("main details").forEach(function (d) {
      if (d.querySelectorAll("li").length <= 12) { d.open = true; }
    });
    all();
  });
  addEventListener("afterprint", function () { root.classList.remove("paper"); all(); });
})();
