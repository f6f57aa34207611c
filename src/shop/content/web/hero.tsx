import { Link } from 'react-router';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Picture } from '#src/ui/graphics/picture.tsx';
import type { Hero as HeroTexts, ShownPicture } from '../home/contract.ts';
import { toPictureUrl } from '#src/shop/pictures/picture-url.ts';
import { findTurningPicture } from '../turning.ts';
import styles from './hero.module.css';
import { RateLine } from './rate-line.tsx';
import type { ShownRate } from '../shown-rate.ts';
import { TurningDevice } from './turning-device.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

interface HeroProps {
  readonly hero: HeroTexts;
  /** Null while the shop has none; omitted in a preview. */
  readonly rate?: ShownRate | null;
  /** The heading in a preview, which is not the page's. */
  readonly as?: 'h1' | 'h2';
}

/** The top of the home page. */
export function Hero({ hero, rate, as: Heading = 'h1' }: HeroProps) {
  const { line, headline, subtitle, buttons, picture, product } = hero;
  return (
    <section className={styles.hero} aria-labelledby="hero-title">
      <div className={styles.content}>
        {line !== '' && <p className={styles.line}>{line}</p>}
        <Heading id="hero-title" className={styles.title}>
          <Unbroken text={headline} />
        </Heading>
        {subtitle !== '' && (
          <p className={styles.subtitle}>
            <Unbroken text={subtitle} />
          </p>
        )}
        {rate !== undefined && <RateLine rate={rate} />}
        <div className={styles.actions}>
          {buttons.map(({ text, to }, index) => (
            <ButtonLink key={text} to={to} variant={index > 0 ? 'secondary' : 'primary'}>
              {text}
            </ButtonLink>
          ))}
        </div>
      </div>
      {picture.path !== '' && <LinkedDevice picture={picture} product={product} />}
    </section>
  );
}

function LinkedDevice({ picture, product }: Pick<HeroTexts, 'picture' | 'product'>) {
  const turning = findTurningPicture(picture.path);
  const device =
    product === '' ? (
      <Device {...picture} />
    ) : (
      <Link to={`/catalog/product/${product}`} className={styles.link}>
        <Device {...picture} />
      </Link>
    );
  return turning === null ? device : <TurningDevice turning={turning}>{device}</TurningDevice>;
}

function Device({ path, alt, widths }: ShownPicture) {
  if (widths.length === 0) {
    return (
      <img src={toPictureUrl(path)} alt={alt} width={560} height={560} fetchPriority="high" className={styles.device} />
    );
  }
  return (
    <Picture
      path={path}
      alt={alt}
      sizes="(max-width: 767px) 320px, 560px"
      widths={widths}
      width={560}
      height={560}
      isFirst
      className={styles.device}
    />
  );
}
