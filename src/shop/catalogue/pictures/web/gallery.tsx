import type { MouseEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Picture } from '#src/ui/picture.tsx';
import styles from './gallery.module.css';

interface GalleryProps {
  readonly name: string;
  readonly paths: readonly string[];
  /** Alternative texts by path; other pictures have the name. */
  readonly alts: Readonly<Record<string, string>>;
}

/**
 * One large picture at a time in a scrolling row: by touch, arrow keys, or thumbnails. Thumbnails
 * are links, so that they work without JavaScript.
 */
export function Gallery({ name, paths, alts }: GalleryProps) {
  const track = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const count = paths.length;

  const show = (index: number) => {
    const element = track.current;
    element?.scrollTo({ left: index * element.clientWidth });
  };
  const follow = () => {
    const element = track.current;
    if (element && element.clientWidth > 0) setCurrent(Math.round(element.scrollLeft / element.clientWidth));
  };
  // A picture may have been selected before hydration.
  useEffect(follow, []);
  const jump = (event: MouseEvent, index: number) => {
    event.preventDefault();
    show(index);
  };

  return (
    <section className={styles.gallery} aria-label={`Pictures of ${name}`}>
      <ul
        ref={track}
        className={styles.track}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
        tabIndex={count > 1 ? 0 : undefined}
        aria-label="Large pictures"
        onScroll={follow}
      >
        {paths.map((path, index) => (
          <li key={path} id={`picture-${index + 1}`}>
            <Picture
              path={path}
              alt={alts[path] ?? (count > 1 ? `${name}, picture ${index + 1} of ${count}` : name)}
              sizes="(max-width: 767px) 100vw, (max-width: 1199px) 58vw, 660px"
              width={1024}
              height={1024}
              isFirst={index === 0}
            />
          </li>
        ))}
      </ul>
      {count > 1 && (
        <ol className={styles.thumbs}>
          {paths.map((path, index) => (
            <li key={path}>
              <a
                href={`#picture-${index + 1}`}
                aria-label={`Show picture ${index + 1}`}
                aria-current={index === current || undefined}
                onClick={(event) => jump(event, index)}
              >
                <Picture path={path} alt="" sizes="80px" width={80} height={80} />
              </a>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
