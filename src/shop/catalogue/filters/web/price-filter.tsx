import { Suspense, useState } from 'react';
import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { logError } from '#src/ui/browser/log-error.ts';
import type { PriceRange } from '../price-range.ts';
import styles from './price-filter.module.css';

// Typing a price works without the slider.
const PriceSlider = createLazyComponent(
  'the price slider',
  async () => (await import('./price-slider.tsx')).PriceSlider,
);

const loadParser = () => import('../typed-price.ts');

interface PriceFilterProps {
  readonly range: PriceRange;
  readonly bounds: PriceRange;
  readonly onChange: (range: PriceRange) => void;
  /** Whether to load the slider: only if it is visible. */
  readonly hasSlider: boolean;
}

/** Two price fields and a slider. A typed value applies on blur. */
export function PriceFilter({ range, bounds, onChange, hasSlider }: PriceFilterProps) {
  const [typed, setTyped] = useState<{ readonly minimum?: string; readonly maximum?: string }>({});
  const [problems, setProblems] = useState<{ readonly minimum?: string; readonly maximum?: string }>({});
  const [slid, setSlid] = useState<PriceRange | null>(null);
  const displayed = slid ?? range;
  const settle = (next: PriceRange) => {
    setTyped({});
    setProblems({});
    setSlid(null);
    if (next.minimum !== range.minimum || next.maximum !== range.maximum) onChange(next);
  };
  const leave = async (bound: 'minimum' | 'maximum') => {
    const text = typed[bound];
    if (text === undefined) return;
    const { parseMaximum, parseMinimum } = await loadParser();
    const price = (bound === 'minimum' ? parseMinimum : parseMaximum)(text, range, bounds);
    if (price.ok) settle({ ...range, [bound]: price.value });
    else setProblems({ ...problems, [bound]: price.problem });
  };
  const apply = (bound: 'minimum' | 'maximum') =>
    void leave(bound).catch((error: unknown) => logError('the price was not read', error));
  const field = (bound: 'minimum' | 'maximum', label: string, name: string) => (
    <Field
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      maxLength={14}
      value={typed[bound] ?? String(displayed[bound])}
      message={problems[bound]}
      onChange={(event) => {
        setTyped({ ...typed, [bound]: event.target.value });
        setProblems({ ...problems, [bound]: undefined });
      }}
      onFocus={() => void loadParser().catch(() => {})}
      onBlur={() => apply(bound)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(bound);
      }}
    />
  );
  return (
    <fieldset>
      <legend className={styles.legend}>Price</legend>
      <div className={styles.bounds}>
        {field('minimum', 'From, $', 'price_min')}
        {field('maximum', 'To, $', 'price_max')}
      </div>
      <div className={styles.slider}>
        {hasSlider && (
          <Suspense fallback={null}>
            <PriceSlider
              range={displayed}
              bounds={bounds}
              onSlide={(next) => {
                setTyped({});
                setProblems({});
                setSlid(next);
              }}
              onChange={settle}
            />
          </Suspense>
        )}
      </div>
    </fieldset>
  );
}
