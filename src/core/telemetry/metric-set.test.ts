import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExposition } from "./exposition.fixture.js";
import { MetricSet } from "./metric-set.js";

describe("the text of a MetricSet", () => {
  it("the text of a MetricSet is in the Prometheus text format", () => {
    const metrics = new MetricSet();
    const episodes = metrics.counter("episodes_total", "Episodes.", ["outcome"]);
    episodes.add(1, { outcome: "success" });
    episodes.add(2, { outcome: "failure" });
    episodes.add(1, { outcome: "success" });
    metrics.gauge("under_way", "Now.").set(0.5);
    const seconds = metrics.histogram("seconds", "How long.", [0.1, 1]);
    for (const value of [0.1, 0.2, 3]) seconds.observe(value);
    expect(metrics.text()).toBe(`# HELP episodes_total Episodes.
# TYPE episodes_total counter
episodes_total{outcome="success"} 2
episodes_total{outcome="failure"} 2
# HELP under_way Now.
# TYPE under_way gauge
under_way 0.5
# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 1
seconds_bucket{le="1"} 2
seconds_bucket{le="+Inf"} 3
seconds_sum 3.3
seconds_count 3
`);
  });

  it("the text of a MetricSet has a series of 0 for a new metric without labels, and none for one with labels", () => {
    const metrics = new MetricSet();
    metrics.counter("a_total", "");
    metrics.counter("b_total", "", ["kind"]);
    const [a, b] = parseExposition(metrics.text());
    expect(a?.samples).toEqual([{ name: "a_total", labels: {}, value: 0 }]);
    expect(b?.samples).toEqual([]);
  });

  it("the text of a MetricSet writes NaN and infinities", () => {
    const metrics = new MetricSet();
    const gauge = metrics.gauge("x", "", ["of"]);
    for (const value of [Number.NaN, -Infinity, Infinity, 1e-7, 1e21, -0]) {
      gauge.set(value, { of: String(value) });
    }
    const values = [...metrics.text().matchAll(/^x\{.*\} (\S+)$/gm)].map((match) => match[1]);
    expect(values).toEqual(["NaN", "-Inf", "+Inf", "1e-7", "1e+21", "0"]);
  });

  it("the text of a MetricSet reads a measured value each time", () => {
    const metrics = new MetricSet();
    let now = 1;
    metrics.measured({ name: "now", help: "", type: "gauge" }, () => now);
    now = 2;
    expect(metrics.text()).toContain("\nnow 2\n");
  });

  it("the text of a MetricSet can be parsed for any labels, help texts and values", () => {
    const values = fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.double()), { maxLength: 5 });
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, values, fc.array(fc.double({ noNaN: true })), (help, cells, seen) => {
        const metrics = new MetricSet();
        const gauge = metrics.gauge("gauge", help, ["label"]);
        const expected = new Map(cells);
        for (const [label, value] of cells) gauge.set(value, { label });
        const histogram = metrics.histogram("histogram", help, [-1, 0, 10], ["label"]);
        for (const value of seen) histogram.observe(value, { label: help });
        const [one, two] = parseExposition(metrics.text());
        expect(one?.help).toBe(help);
        expect(new Map(one?.samples.map(({ labels, value }) => [labels.label, value]))).toEqual(
          new Map([...expected].map(([label, value]) => [label, value + 0])),
        );
        const count = two?.samples.find(({ name }) => name === "histogram_count")?.value;
        expect(count ?? 0).toBe(seen.length);
      }),
    );
  });
});

describe("a MetricSet", () => {
  const metrics = () => new MetricSet();

  it.each([
    ["a name with a dash", () => metrics().gauge("a-b", "")],
    ["a counter whose name does not end in _total", () => metrics().counter("a", "")],
    ["a gauge whose name ends in _total", () => metrics().gauge("a_total", "")],
    ["a label that starts with two underscores", () => metrics().gauge("a", "", ["__a"])],
    ["the label le of a histogram", () => metrics().histogram("a", "", [1], ["le"])],
    ["bounds that do not increase", () => metrics().histogram("a", "", [1, 1])],
    ["an infinite bound", () => metrics().histogram("a", "", [1, Infinity])],
    ["a missing label", () => metrics().gauge("a", "", ["b"]).set(1)],
    ["an unknown label", () => metrics().gauge("a", "").set(1, { b: "" })],
    ["a decrease of a counter", () => metrics().counter("a_total", "").add(-1)],
    ["an increase of a counter by NaN", () => metrics().counter("a_total", "").add(Number.NaN)],
  ])("a MetricSet rejects %s", (_, mistake) => {
    expect(mistake).toThrow(RangeError);
  });

  it("a MetricSet rejects a name that is already registered", () => {
    const set = metrics();
    set.gauge("a", "");
    expect(() => set.histogram("a", "", [])).toThrow("the metric a is already registered");
  });
});
