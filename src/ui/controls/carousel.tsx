import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../graphics/icons.tsx';
import styles from './carousel.module.css';

interface CarouselProps {
  /** Accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A row that scrolls sideways: by touch, wheel, arrow keys, or its buttons, shown only if it overflows. */
export function Carousel({ label, children }: CarouselProps) {
  const track = useRef<HTMLUListElement>(null);
  const [room, setRoom] = useState({ before: false, after: false });

  useEffect(() => {
    const element = track.current;
    if (!element) return undefined;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const next = { before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 };
      setRoom((last) => (last.before === next.before && last.after === next.after ? last : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  const scroll = (direction: -1 | 1) => {
    const element = track.current;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    element?.scrollBy({ left: direction * element.clientWidth * 0.8, behavior });
  };

  return (
    <div className={styles.slider}>
      <ul ref={track} className={styles.track} aria-label={label}>
        {children}
      </ul>
      {(room.before || room.after) && (
        <div className={styles.controls}>
          <button type="button" aria-label="Previous" disabled={!room.before} onClick={() => scroll(-1)}>
            <Icon name="chevronLeft" />
          </button>
          <button type="button" aria-label="Next" disabled={!room.after} onClick={() => scroll(1)}>
            <Icon name="chevronRight" />
          </button>
        </div>
      )}
    </div>
  );
}
