import { Slider } from '@base-ui/react/slider';
import { formatDollars } from '#src/shop/format-number.ts';
import type { PriceRange } from '../price-range.ts';
import { SLIDER_STEP, computeSliderEnds, toPriceRange } from '../price-range.ts';
import styles from './price-slider.module.css';

interface PriceSliderProps {
  readonly range: PriceRange;
  readonly bounds: PriceRange;
  /** Called while a thumb moves. */
  readonly onSlide: (range: PriceRange) => void;
  /** Called when a thumb is released. */
  readonly onChange: (range: PriceRange) => void;
}

const LABELS = ['Minimum price', 'Maximum price'];

/** Slider with two thumbs; loaded when the panel is first opened. */
export function PriceSlider({ range, bounds, onSlide, onChange }: PriceSliderProps) {
  const ends = computeSliderEnds(bounds);
  const toRange = ([minimum = ends.minimum, maximum = ends.maximum]: readonly number[]): PriceRange =>
    toPriceRange({ minimum, maximum }, bounds);
  // A bound between two steps is shown at the end of the slider.
  const thumbs = [
    range.minimum <= bounds.minimum ? ends.minimum : range.minimum,
    range.maximum >= bounds.maximum ? ends.maximum : range.maximum,
  ];
  return (
    <Slider.Root
      value={thumbs}
      min={ends.minimum}
      // The slider needs a length even if all prices are equal.
      max={Math.max(ends.maximum, ends.minimum + SLIDER_STEP)}
      step={SLIDER_STEP}
      largeStep={SLIDER_STEP * 10}
      thumbCollisionBehavior="none"
      onValueChange={(values) => onSlide(toRange(values))}
      onValueCommitted={(values) => onChange(toRange(values))}
    >
      <Slider.Control className={styles.control}>
        <Slider.Track className={styles.track}>
          <Slider.Indicator className={styles.between} />
          {LABELS.map((label, index) => (
            <Slider.Thumb
              key={label}
              index={index}
              className={styles.thumb}
              getAriaLabel={() => label}
              getAriaValueText={(_, value) => formatDollars(value)}
            />
          ))}
        </Slider.Track>
      </Slider.Control>
    </Slider.Root>
  );
}
