import { useEffect, useState } from 'react';
import type {
  Advantages as AdvantageTexts,
  Hero as HeroTexts,
  Partners as PartnerTexts,
  PromoBanner as BannerTexts,
} from '#src/shop/content/home/contract.ts';
import { Advantages } from '#src/shop/content/web/advantages.tsx';
import { Hero } from '#src/shop/content/web/hero.tsx';
import { Partners } from '#src/shop/content/web/partners.tsx';
import { PromoBanner } from '#src/shop/content/web/promo-banner.tsx';
import { call } from '#src/storefront/call.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { Section } from '#src/ui/layout/section.tsx';
import styles from './content-forms.module.css';

export interface PreviewedSections {
  readonly hero?: HeroTexts | undefined;
  readonly advantages?: AdvantageTexts | undefined;
  readonly banner?: BannerTexts | undefined;
  readonly partners?: PartnerTexts | undefined;
}

/** Enough to leave out most keystrokes. */
const PAUSE_MS = 400;

/** The section as the home page would show it, with prices. Follows the fields. */
export function SectionPreview({ sections }: { readonly sections: PreviewedSections }) {
  const [shown, setShown] = useState<PreviewedSections | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const body = JSON.stringify(sections);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const load = async (): Promise<void> => {
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the line above
        setShown(await call('POST /content/home/preview', { body: JSON.parse(body) as PreviewedSections }, { signal }));
        setFailure(null);
      } catch (error) {
        if (signal.aborted) return;
        setFailure(isRefusal(error) ? describeFields(error.fields) : 'The preview could not be loaded.');
      }
    };
    const timer = setTimeout(() => void load(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body]);
  return (
    <Section title="Preview" level={3} size={16} gap={12}>
      {failure !== null && <p className="muted small measure">{failure}</p>}
      <div className={styles.paper} inert>
        {shown?.hero && <Hero hero={shown.hero} as="h2" />}
        {shown?.advantages && <Advantages {...shown.advantages} />}
        {shown?.banner && <PromoBanner {...shown.banner} />}
        {shown?.partners && <Partners {...shown.partners} />}
        {shown === null && failure === null && <p className="muted small measure">Loading…</p>}
      </div>
    </Section>
  );
}

function describeFields(fields: Readonly<Record<string, string>>): string {
  const [first] = Object.entries(fields);
  if (first === undefined) return 'The preview could not be loaded.';
  return `No preview yet: ${first[0].replace(/^\w+\./, '').replaceAll(/[._]/g, ' ')} ${first[1]}.`;
}
