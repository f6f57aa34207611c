import type { Category } from '#src/shop/catalogue/contract.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import type { StoredSections } from '#src/shop/content/home/contract.ts';
import { Link } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { EMPTY_HERO, HeroFields, SearchFields } from './hero-fields.tsx';
import { AdvantagesFields, BannerFields, PartnersFields, RowsFields } from './home-fields.tsx';
import { SectionForm } from './section-form.tsx';

const NO_BUTTON = { text: 'Discover more', to: '/promo' };

interface HomeSectionsProps {
  readonly sections: StoredSections;
  readonly categories: readonly Pick<Category, 'id' | 'name'>[];
}

/** The texts of the home page. */
export function HomeSections({ sections, categories }: HomeSectionsProps) {
  return (
    <>
      <p className="muted small measure">
        Every visitor sees a saved change within a second. A section that is hidden or not set up is left out. Name,
        logo and address of the shop are in the <Link to="/admin/settings#identity">settings</Link>.
      </p>
      <Stack>
        <SectionForm
          name="search"
          title="Title and description"
          hint="Of the home page in search results, link previews and browser tabs."
          stored={sections.search}
          empty={{ title: '', description: '' }}
          save={async (body) => (await call('PUT /content/home/search', { body })).search}
          toPreview={null}
          isAlwaysShown
        >
          {(props) => <SearchFields {...props} />}
        </SectionForm>
        <SectionForm
          name="hero"
          title="Hero"
          hint="The top of the home page."
          stored={sections.hero}
          empty={EMPTY_HERO}
          save={async (body) => (await call('PUT /content/home/hero', { body })).hero}
          toPreview={(hero) => ({ hero })}
        >
          {(props) => <HeroFields {...props} />}
        </SectionForm>
        <SectionForm
          name="rows"
          title="Rows of products"
          hint="In the order of the home page. A row without products is left out."
          stored={sections.rows}
          empty={{ rows: [] }}
          save={async (body) => (await call('PUT /content/home/rows', { body })).rows}
          toPreview={null}
        >
          {(props) => <RowsFields {...props} categories={categories} />}
        </SectionForm>
        <SectionForm
          name="advantages"
          title="Advantages"
          hint="Cards with a picture of 332 × 332 pixels."
          stored={sections.advantages}
          empty={{ title: 'Advantages', subtitle: '', cards: [] }}
          save={async (body) => (await call('PUT /content/home/advantages', { body })).advantages}
          toPreview={(advantages) => ({ advantages })}
        >
          {(props) => <AdvantagesFields {...props} />}
        </SectionForm>
        <SectionForm
          name="banner"
          title="Promo banner"
          hint="Between the advantages and the partners."
          stored={sections.banner}
          empty={{ title: '', text: '', button: NO_BUTTON }}
          save={async (body) => (await call('PUT /content/home/banner', { body })).banner}
          toPreview={(banner) => ({ banner })}
        >
          {(props) => <BannerFields {...props} />}
        </SectionForm>
        <SectionForm
          name="partners"
          title="Partners"
          hint="Logos of 160 × 64 pixels that scroll."
          stored={sections.partners}
          empty={{ title: 'Partners', text: '', logos: [] }}
          save={async (body) => (await call('PUT /content/home/partners', { body })).partners}
          toPreview={(partners) => ({ partners })}
        >
          {(props) => <PartnersFields {...props} />}
        </SectionForm>
      </Stack>
    </>
  );
}
