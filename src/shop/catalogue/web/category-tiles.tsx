import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Picture } from '#src/ui/graphics/picture.tsx';
import styles from './category-tiles.module.css';
import type { CategoryTile } from './load-tiles.ts';

function Tiles({ tiles }: { readonly tiles: readonly CategoryTile[] }) {
  return (
    <nav aria-label="Shop by category">
      <ul className={styles.tiles}>
        {tiles.map(({ slug, name, picture }) => (
          <li key={slug}>
            <Link to={`/catalog/category/${slug}`} prefetch="intent">
              <Picture path={picture} alt="" sizes="(max-width: 767px) 40vw, 200px" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A way into each category. */
export const CategoryTiles = cacheFragment(Tiles);
