import { Stack } from '#src/ui/layout/stack.ts';
import { Row } from '#src/ui/layout/row.ts';
import { scaleBand, scaleLinear } from 'd3-scale';
import styles from './bar-chart.module.css';

interface ChartPoint {
  readonly label: string;
  readonly value: number;
  /** The value with its unit. */
  readonly text: string;
}

interface BarChartProps {
  readonly title: string;
  /** The figure of the whole period, beside the title. */
  readonly total: string;
  readonly points: readonly ChartPoint[];
  /** Text of a value on the axis. */
  readonly formatTick: (value: number) => string;
}

/** Units of the drawing, which is stretched to the width of the page. */
const WIDTH = 1_000;
const HEIGHT = 300;
const TICKS = 3;

/** Describes the chart in one sentence; the table below has every figure. */
function describe(points: readonly ChartPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'No figures';
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  const extent = `Bars from ${first.label} to ${last.label}.`;
  return highest.value === 0
    ? `${extent} All are zero.`
    : `${extent} The highest is ${highest.text}, ${highest.label}.`;
}

/** Labels of the first, middle and last bar. */
function pickLabels(points: readonly ChartPoint[]): readonly string[] {
  const at =
    points.length < 3 ? points.map((_, index) => index) : [0, Math.floor((points.length - 1) / 2), points.length - 1];
  return at.flatMap((index) => points[index]?.label ?? []);
}

/** Values over time as bars. Assistive technology gets a sentence instead of the bars. */
export function BarChart({ title, total, points, formatTick }: BarChartProps) {
  const highest = Math.max(0, ...points.map(({ value }) => value));
  const y = scaleLinear([0, highest === 0 ? 1 : highest], [HEIGHT, 0]).nice(TICKS);
  const x = scaleBand(
    points.map((_, index) => index),
    [0, WIDTH],
  ).paddingInner(points.length > 100 ? 0.1 : 0.3);
  const ticks = y.ticks(TICKS);
  return (
    <Stack as="figure" gap={12} surface="outlined-small">
      <Row as="figcaption" gap={16} rowGap={4} align="baseline" justify="between">
        <span className="muted small">{title}</span>
        <span className="large strong tabular wrap-anywhere">{total}</span>
      </Row>
      <div className={styles.plot}>
        <div className={styles.ticks} aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <span key={tick}>{highest === 0 && tick > 0 ? '' : formatTick(tick)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing that follows the colour scheme
          role="img"
          aria-label={`${title}. ${describe(points)}`}
          className={styles.drawing}
        >
          {ticks.map((tick) => (
            <line key={tick} x1={0} x2={WIDTH} y1={y(tick)} y2={y(tick)} className={styles.grid} />
          ))}
          {points.map((point, index) => (
            <g key={point.label} className={styles.column}>
              <title>{`${point.label}: ${point.text}`}</title>
              {/* The whole column shows the figure to a pointer. */}
              <rect x={x(index) ?? 0} y={0} width={x.bandwidth()} height={HEIGHT} className={styles.hit} />
              <rect
                x={x(index) ?? 0}
                y={y(point.value)}
                width={x.bandwidth()}
                height={HEIGHT - y(point.value)}
                className={styles.bar}
              />
            </g>
          ))}
        </svg>
        <div className={styles.labels} aria-hidden="true">
          {pickLabels(points).map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
      </div>
    </Stack>
  );
}
