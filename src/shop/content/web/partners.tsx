import { useState } from 'react';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { LineArt } from '#src/ui/graphics/line-art.tsx';
import type { Partners as PartnerTexts } from '../home/contract.ts';
import { toSmallPictureUrl } from '#src/shop/pictures/picture-url.ts';
import styles from './partners.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

/** Number of repetitions, enough to fill the widest screen. */
const ROUNDS = [1, 2, 3, 4];
// Not in `ui/graphics/icons.tsx`, which every page loads.
const PAUSE = 'M8.5 5.5v13m7-13v13';
const PLAY = 'M8 5.5v13l10.5-6.5L8 5.5Z';

function PartnersSection({ title, text, logos }: PartnerTexts) {
  const [isPaused, setIsPaused] = useState(false);
  return (
    <section aria-labelledby="partners-title" className={styles.section}>
      <div className={styles.head}>
        <div>
          <h2 id="partners-title">
            <Unbroken text={title} />
          </h2>
          {text !== '' && (
            <p>
              <Unbroken text={text} />
            </p>
          )}
        </div>
        <Button variant="tertiary" className={styles.pause} onClick={() => setIsPaused(!isPaused)}>
          <LineArt size={18}>
            <path d={isPaused ? PLAY : PAUSE} />
          </LineArt>
          {isPaused ? 'Play' : 'Pause'}
          <span className="visually-hidden"> the partners’ logos</span>
        </Button>
      </div>
      <div className={styles.window}>
        <div className={styles.track} data-paused={isPaused || undefined}>
          {ROUNDS.map((round) => (
            <ul key={round} aria-hidden={round > 1 || undefined}>
              {logos.map(({ name, picture }) => (
                <li key={name}>
                  <img
                    src={toSmallPictureUrl(picture)}
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
