import { useState } from 'react';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Button } from '#src/ui/button.tsx';
import { Icon } from '#src/ui/icons.tsx';
import styles from './partners.module.css';

/** In the order of the files `/partners/partner-1.svg` onwards. */
const PARTNERS = [
  'Northvale',
  'Orbitra',
  'Lumenfold',
  'Kestrelis',
  'Quaywell',
  'Octavo Labs',
  'Parcelio',
  'Tesselane',
  'Halcyra',
  'Vantorre',
];
/** Number of repetitions, enough to fill the widest screen. */
const ROUNDS = [1, 2, 3, 4];

function PartnersSection() {
  const [isPaused, setIsPaused] = useState(false);
  return (
    <section aria-labelledby="partners-title" className={styles.section}>
      <div className={styles.head}>
        <div>
          <h2 id="partners-title">
            We value collaboration and aim to build <span className={styles.whole}>long-term</span> relationships with
            trusted partners
          </h2>
          <p>Opportunities to expand your reach in the Apple technology market</p>
        </div>
        <Button variant="tertiary" className={styles.pause} onClick={() => setIsPaused(!isPaused)}>
          <Icon name={isPaused ? 'play' : 'pause'} size={18} />
          {isPaused ? 'Play' : 'Pause'}
          <span className="visually-hidden"> the partners’ logos</span>
        </Button>
      </div>
      <div className={styles.window}>
        <div className={styles.track} data-paused={isPaused || undefined}>
          {ROUNDS.map((round) => (
            <ul key={round} aria-hidden={round > 1 || undefined}>
              {PARTNERS.map((name, index) => (
                <li key={name}>
                  <img
                    src={`/partners/partner-${index + 1}.svg`}
                    alt={round > 1 ? '' : name}
                    width={160}
                    height={64}
                    loading="lazy"
                    draggable={false}
                  />
                </li>
              ))}
            </ul>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Endlessly scrolling logos of the partners. */
export const Partners = cacheFragment(PartnersSection);
