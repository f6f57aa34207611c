import type { TextToken } from '#src/shop/codecs.ts';
import { TextElements } from '#src/storefront/layout/text-elements.tsx';
import textStyles from '#src/storefront/layout/text-elements.module.css';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import styles from './about-product.module.css';

interface AboutProductProps {
  readonly description: string;
  /** Null: the description is plain text. */
  readonly elements: readonly TextToken[] | null;
}

const splitParagraphs = (text: string): readonly string[] => text.split(/\n\s*\n/).filter((part) => part.trim() !== '');

export const hasDescription = ({ description, elements }: AboutProductProps): boolean =>
  (elements?.length ?? 0) > 0 || description.trim() !== '';

/** The description of a product, below a heading of level 2. */
export function AboutProduct({ description, elements }: AboutProductProps) {
  if (elements !== null) {
    return (
      <div className={classNames(styles.formatted, textStyles.elements)}>
        <TextElements tokens={elements} />
      </div>
    );
  }
  return (
    <div className={styles.about}>
      {splitParagraphs(description).map((paragraph) => (
        <p key={paragraph}>
          <Unbroken text={paragraph} />
        </p>
      ))}
    </div>
  );
}
