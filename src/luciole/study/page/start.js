// Everything is set going.

drawTheme();
drawBar();
drawMeasures();
byId("plan").hidden = !byId("plan").querySelector("pre").textContent.trim();
if (DATA.failures.length) {
  byId("failures").hidden = false;
  document.querySelector('nav a[href="#failures"]').hidden = false;
  part("failures", drawFailures);
}
part("ranking", drawRanking);
part("results", drawResults);
part("problems", () => { drawProblem(); drawThumbs(); });
part("targets", drawTargets);
part("runs", drawRuns);
drawRanking(); // at once, without waiting to be told that it is near
parts.find(each => each.draw === drawRanking).stale = false;

byId("problem-filter").addEventListener("input", event => { wanted = event.target.value.trim(); drawResults(); });
byId("run-filter").addEventListener("input", event => { Object.assign(runView, { words: event.target.value, page: 0 }); drawRuns(); });
byId("problem").addEventListener("change", event => { state.problem = Number(event.target.value); drawProblem(); });
for (const [id, by] of [["previous", -1], ["next", 1]]) {
  byId(id).addEventListener("click", () => {
    const options = shownProblems();
    state.problem = options[options.indexOf(state.problem) + by] ?? state.problem;
    drawProblem();
  });
}

const nearby = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const each = parts.find(one => one.node === entry.target);
    each.near = entry.isIntersecting;
  }
  drawNear();
}, { rootMargin: "400px 0px" });
for (const each of parts) nearby.observe(each.node);

addEventListener("load", () => setTimeout(drawRest, 20));

const current = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const link = document.querySelector(`nav a[href="#${entry.target.id}"]`);
    if (entry.isIntersecting) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  }
}, { rootMargin: "-45% 0px -54% 0px" });
for (const each of document.querySelectorAll("main section")) current.observe(each);

let drawnWidth = document.body.clientWidth;
addEventListener("resize", () => {
  if (document.body.clientWidth === drawnWidth) return;
  drawnWidth = document.body.clientWidth;
  leaveRoom();
  refresh();
});
addEventListener("beforeprint", drawAll);
