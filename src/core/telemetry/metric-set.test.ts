import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExposition } from "./exposition.fixture.js";
import { MetricSet } from "./metric-set.js";

describe("a page of metrics", () => {
  it("reads as Prometheus' text format has it", () => {
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

  it("starts at 0 where there are no labels, and has no series where there are", () => {
    const metrics = new MetricSet();
    metrics.counter("a_total", "");
    metrics.counter("b_total", "", ["kind"]);
    const [a, b] = parseExposition(metrics.text());
    expect(a?.samples).toEqual([{ name: "a_total", labels: {}, value: 0 }]);
    expect(b?.samples).toEqual([]);
  });

  it("says what is no number, and what has no end", () => {
    const metrics = new MetricSet();
    const gauge = metrics.gauge("x", "", ["of"]);
    for (const value of [Number.NaN, -Infinity, Infinity, 1e-7, 1e21, -0]) {
      gauge.set(value, { of: String(value) });
    }
    const values = [...metrics.text().matchAll(/^x\{.*\} (\S+)$/gm)].map((match) => match[1]);
    expect(values).toEqual(["NaN", "-Inf", "+Inf", "1e-7", "1e+21", "0"]);
  });

  it("looks up what is measured when it is asked for", () => {
    const metrics = new MetricSet();
    let now = 1;
    metrics.measured({ name: "now", help: "", type: "gauge" }, () => now);
    now = 2;
    expect(metrics.text()).toContain("\nnow 2\n");
  });

  it("can be read back whatever labels, helps and values are", () => {
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

describe("a mistake in naming or counting", () => {
  const metrics = () => new MetricSet();

  it.each([
    ["a name with a dash", () => metrics().gauge("a-b", "")],
    ["a counter that is not called _total", () => metrics().counter("a", "")],
    ["a gauge that is called _total", () => metrics().gauge("a_total", "")],
    ["a label with two underscores ahead", () => metrics().gauge("a", "", ["__a"])],
    ["a histogram's own label", () => metrics().histogram("a", "", [1], ["le"])],
    ["bounds that do not rise", () => metrics().histogram("a", "", [1, 1])],
    ["a bound without end", () => metrics().histogram("a", "", [1, Infinity])],
    ["a label that is missing", () => metrics().gauge("a", "", ["b"]).set(1)],
    ["a label that is not the family's", () => metrics().gauge("a", "").set(1, { b: "" })],
    ["a counter that goes down", () => metrics().counter("a_total", "").add(-1)],
    ["a counter that goes nowhere", () => metrics().counter("a_total", "").add(Number.NaN)],
  ])("is refused: %s", (_, mistake) => {
    expect(mistake).toThrow(RangeError);
  });

  it("is refused: a name that is there already", () => {
    const set = metrics();
    set.gauge("a", "");
    expect(() => set.histogram("a", "", [])).toThrow("a is there already");
  });
});
