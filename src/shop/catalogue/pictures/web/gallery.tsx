import type { ComponentType, MouseEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { carryToPage } from '#src/storefront/products/carried-picture.ts';
import { toLargestPictureUrl } from '#src/storefront/products/picture-files.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import styles from './gallery.module.css';
import type { PictureViewerProps } from './picture-viewer.tsx';

/** On phones their height is the limit. */
const SIZES = '(max-width: 767px) 75vw, (max-width: 1199px) 58vw, 660px';

interface GalleryProps {
  readonly name: string;
  readonly paths: readonly string[];
  /** Alternative texts by path; other pictures have the name. */
  readonly alts: Readonly<Record<string, string>>;
}

interface OpenViewer {
  readonly Viewer: ComponentType<PictureViewerProps>;
  readonly first: number;
}

const findIndex = ({ scrollLeft, clientWidth }: HTMLElement): number => Math.round(scrollLeft / clientWidth);

/** The viewer, which is loaded when it is first opened. */
function useViewer() {
  const [viewer, setViewer] = useState<OpenViewer | null>(null);
  const open = async (event: MouseEvent<HTMLAnchorElement>, first: number) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    try {
      const { PictureViewer } = await import('./picture-viewer.tsx');
      setViewer({ Viewer: PictureViewer, first });
    } catch (error) {
      logError('the viewer was not loaded', error);
      location.assign(href);
    }
  };
  return { viewer, open, end: () => setViewer(null) };
}

/**
 * One large picture at a time in a scrolling row: by touch, arrow keys, or thumbnails. Thumbnails and pictures are
 * links, so that they work without JavaScript; a picture opens the viewer.
 */
export function Gallery({ name, paths, alts }: GalleryProps) {
  const track = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const { viewer, open, end } = useViewer();
  const isHydrated = useHydrated();
  const count = paths.length;
  const pictures = paths.map((path, index) => ({
    path,
    alt: alts[path] ?? (count > 1 ? `${name}, picture ${index + 1} of ${count}` : name),
  }));

  const show = (index: number, behavior?: ScrollBehavior) => {
    const element = track.current;
    element?.scrollTo({ left: index * element.clientWidth, ...(behavior && { behavior }) });
  };
  const follow = () => {
    const element = track.current;
    if (element && element.clientWidth > 0) setCurrent(findIndex(element));
  };
  // A picture may have been selected before hydration.
  useEffect(follow, []);
  useEffect(() => carryToPage(() => track.current?.querySelectorAll('img')[findIndex(track.current)]), []);
  const jump = (event: MouseEvent, index: number) => {
    event.preventDefault();
    show(index);
  };
  const close = (last: number) => {
    end();
    show(last, 'instant');
    setCurrent(last);
    track.current?.querySelectorAll('a')[last]?.focus({ preventScroll: true });
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
        {pictures.map(({ path, alt }, index) => (
          <li key={path} id={`picture-${index + 1}`}>
            <a
              href={toLargestPictureUrl(path)}
              title="View full screen"
              draggable={false}
              // The row brings the others into view.
              tabIndex={isHydrated && index !== current ? -1 : undefined}
              onClick={(event) => void open(event, index)}
            >
              <Picture path={path} alt={alt} sizes={SIZES} width={1024} height={1024} isFirst={index === 0} />
            </a>
          </li>
        ))}
      </ul>
      {count > 1 && <Thumbs paths={paths} current={current} onJump={jump} />}
      {viewer && (
        <viewer.Viewer name={name} pictures={pictures} loadedSizes={SIZES} first={viewer.first} onClose={close} />
      )}
    </section>
  );
}

interface ThumbsProps extends Pick<GalleryProps, 'paths'> {
  readonly current: number;
  readonly onJump: (event: MouseEvent, index: number) => void;
}

function Thumbs({ paths, current, onJump }: ThumbsProps) {
  return (
    <ol className={styles.thumbs}>
      {paths.map((path, index) => (
        <li key={path}>
          <a
            href={`#picture-${index + 1}`}
            aria-label={`Show picture ${index + 1}`}
            aria-current={index === current || undefined}
            onClick={(event) => onJump(event, index)}
          >
            <Picture path={path} alt="" sizes="80px" width={80} height={80} />
          </a>
        </li>
      ))}
    </ol>
  );
}
