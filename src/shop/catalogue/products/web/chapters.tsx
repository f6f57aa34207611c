import type { ProductDetail } from '../../contract.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import styles from './product-details.module.css';

/** Large figures about a product, each with a sentence beside a picture. */
export const Chapters = ({ chapters, picture_alts: alts }: Pick<ProductDetail, 'chapters' | 'picture_alts'>) =>
  !!chapters?.length && (
    <ul className={styles.chapters}>
      {chapters.map(({ picture, figure, title, sentence }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- chapters have no identity, nor any state
        <li key={index}>
          {picture && (
            <div>
              <Picture
                className="contain"
                path={picture}
                alt={alts[picture] ?? ''}
                sizes="(max-width: 767px) 90vw, 45vw"
              />
            </div>
          )}
          <h2>
            <span>{figure}</span> <Unbroken text={title} />
          </h2>
          <p>
            <Unbroken text={sentence} />
          </p>
        </li>
      ))}
    </ul>
  );
