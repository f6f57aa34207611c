import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import type { Advantages as AdvantageTexts, ShownPicture } from '../home/contract.ts';
import { toPictureUrl } from '#src/shop/pictures/picture-url.ts';
import styles from './advantages.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

function AdvantagesSection({ title, subtitle, cards }: AdvantageTexts) {
  return (
    <section aria-labelledby="advantages-title">
      <div className={styles.head}>
        <h2 id="advantages-title">
          <Unbroken text={title} />
        </h2>
        {subtitle !== '' && (
          <p>
            <Unbroken text={subtitle} />
          </p>
        )}
      </div>
      <ul className={styles.cards}>
        {cards.map((card) => (
          <li key={card.title} className={styles.card}>
            <div>
              <h3>
                <Unbroken text={card.title} />
              </h3>
              {card.text !== '' && (
                <p>
                  <Unbroken text={card.text} />
                </p>
              )}
            </div>
            {card.picture.path !== '' && (
              <div className={styles.pictured}>
                <Still {...card.picture} />
                {card.overlay_title + card.overlay_text !== '' && (
                  <p className={styles.overlay}>
                    <Icon name="truck" size={24} />
                    <span>
                      <strong>{card.overlay_title}</strong>
                      <span>{card.overlay_text}</span>
                    </span>
                  </p>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Still({ path, alt, widths }: ShownPicture) {
  const url = toPictureUrl(path);
  // Of the demo shop 332 and 664, of the library 320 and 640.
  const sharper = widths.find((width) => width >= 640 && width <= 664);
  const isUploaded = widths.includes(320);
  const pick = (width: number): string => url.replace(/\.avif$/, `-${width}.avif`);
  const sharp = sharper === undefined ? {} : { srcSet: `${pick(sharper)} 2x` };
  return <img src={isUploaded ? pick(320) : url} {...sharp} alt={alt} width={332} height={332} loading="lazy" />;
}

/** Advantages of the shop on the home page. */
export const Advantages = cacheFragment(AdvantagesSection);
