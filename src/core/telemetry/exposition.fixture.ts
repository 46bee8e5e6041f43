/** One sample of the exposition text. */
interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly ParsedSample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/s;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\\\|\\"|\\n)*)"(?:,|$)/;
const NUMBER = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;

/**
 * Parses Prometheus' text format strictly. It also rejects errors that Prometheus tolerates: a family listed
 * twice, a sample under another family's name, a duplicate series, buckets that decrease or do not end with
 * `+Inf`.
 */
export function parseExposition(text: string): ParsedFamily[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no line feed");
  const families: (ParsedFamily & { samples: ParsedSample[] })[] = [];
  const lines = text.split("\n").slice(0, -1);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const [, name = "", help = ""] = HELP.exec(line) ?? [];
    if (name !== "") {
      const [, typed = "", type = ""] = TYPE.exec(lines[++i] ?? "") ?? [];
      if (typed !== name) throw new Error(`HELP of ${name} is not followed by its TYPE`);
      if (families.some((family) => family.name === name))
        throw new Error(`the family ${name} is listed twice`);
      families.push({ name, help: unescaped(help), type, samples: [] });
      continue;
    }
    const family = families.at(-1);
    if (!family) throw new Error(`a sample before the first family: ${line}`);
    family.samples.push(sampleOf(line, family));
  }
  for (const family of families) checkFamily(family);
  return families;
}

function sampleOf(line: string, family: ParsedFamily): ParsedSample {
  const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (name === "" || !NUMBER.test(value)) throw new Error(`not a sample: ${line}`);
  const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (!suffixes.some((suffix) => name === family.name + suffix)) {
    throw new Error(`the sample ${name} is listed under the family ${family.name}`);
  }
  return { name, labels: labelsOf(labels), value: numberOf(value) };
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const [whole = "", name = "", value = ""] = LABEL.exec(rest) ?? [];
    if (whole === "" || name in labels) throw new Error(`not labels: ${text}`);
    labels[name] = unescaped(value);
    rest = rest.slice(whole.length);
  }
  return labels;
}

function numberOf(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character) => (character === "n" ? "\n" : character));
}

function checkFamily({ name, type, samples }: ParsedFamily): void {
  const series = samples.map((sample) =>
    JSON.stringify([sample.name, Object.entries(sample.labels).sort()]),
  );
  if (new Set(series).size !== series.length) throw new Error(`${name} has a duplicate series`);
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) {
    throw new Error(`the counter ${name} is below 0`);
  }
  if (type !== "histogram") return;
  const groups = new Map<string, ParsedSample[]>();
  for (const sample of samples) {
    const { le, ...rest } = sample.labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const group of groups.values()) checkHistogram(name, group);
}

function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => numberOf(labels.le ?? "NaN"));
  const rises = (values: readonly number[], least: number) =>
    values.every((value, i) => i === 0 || value - (values[i - 1] ?? 0) >= least);
  if (!rises(bounds, Number.MIN_VALUE) || bounds.at(-1) !== Number.POSITIVE_INFINITY) {
    throw new Error(`${name}: the bounds ${bounds.join(", ")} do not increase to +Inf`);
  }
  const counts = buckets.map(({ value }) => value);
  const count = samples.find((sample) => sample.name === `${name}_count`)?.value;
  if (!rises(counts, 0) || counts.at(-1) !== count) {
    throw new Error(`${name}: the buckets ${counts.join(", ")} do not increase to ${count}`);
  }
  if (!samples.some((sample) => sample.name === `${name}_sum`))
    throw new Error(`${name} has no sum`);
}
