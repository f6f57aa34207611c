import type { EnergyClass } from '#src/shop/catalogue/compliance/energy-label.ts';
import styles from './energy-arrow.module.css';

interface EnergyArrowProps {
  readonly slug: string;
  /** Absent without an energy label: then nothing is shown. */
  readonly letter: EnergyClass | null | undefined;
}

/** The arrow beside a price that opens the energy label. */
export const EnergyArrow = ({ slug, letter }: EnergyArrowProps) =>
  letter && (
    <a href={`/energy-label/${slug}.svg`} target="_blank" className={styles.arrow}>
      <img
        src={`/energy-arrow/${letter}.svg`}
        alt={`Energy class ${letter}, opens the label`}
        width={68}
        height={36}
        // React would preload some of the others, and not the same ones each time.
        loading="lazy"
      />
    </a>
  );
