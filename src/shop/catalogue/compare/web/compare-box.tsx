import styles from './compare-box.module.css';

/**
 * Id of the form of all boxes. Without JavaScript it opens the comparison; otherwise
 * `compare-bar.tsx` reads the boxes.
 */
export const COMPARE_FORM = 'compare';

interface CompareBoxProps {
  readonly product: { readonly slug: string; readonly name: string };
}

/** Checkbox that selects a product for the comparison. */
export function CompareBox({ product: { slug, name } }: CompareBoxProps) {
  return (
    <label className={styles.label}>
      <input type="checkbox" form={COMPARE_FORM} name="products" value={slug} autoComplete="off" />
      <span>
        Compare<span className="visually-hidden"> {name}</span>
      </span>
    </label>
  );
}
