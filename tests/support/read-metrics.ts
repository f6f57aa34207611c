/** Reads the text format of Prometheus. */
import assert from 'node:assert/strict';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Every sample. Fails on a line that is neither a sample nor a comment. */
function parseMetrics(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? assert.fail(`no sample: ${line}`);
    const pairs = labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
    const read: Record<string, string> = Object.fromEntries([...pairs].map(([, key = '', one = '']) => [key, one]));
    return { name, labels: read, value: value === 'NaN' ? Number.NaN : Number(value) };
  });
}

export async function readMetrics(port: number): Promise<Sample[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  return parseMetrics(await response.text());
}

/** The sum of the samples of a metric with these labels; null if there is none. */
export function sumOf(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number | null {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}
