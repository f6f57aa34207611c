import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { toPictureUrl } from '#src/shop/pictures/picture-url.ts';
import { GUARANTEE_TITLE, guaranteeSections, YOUR_EUROPE } from '../compose-guarantee.ts';
import styles from './legal-guarantee-page.module.css';

const NOTICE_TEXT = 'Notice of the European Union on the legal guarantee of conformity. What it says is written below.';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(GUARANTEE_TITLE, matches) },
  {
    name: 'description',
    content: 'Your legal guarantee of at least two years: repair, replacement, a lower price or a refund.',
  },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const shop = await context.get(pageContext).call('GET /shop');
  if (!shop.sells_to_eu_consumers) return throwNotFound();
  const path = shop.guarantee_notice_path;
  return { notice: path === null ? null : { url: toPictureUrl(path), text: NOTICE_TEXT } };
}

/** RET-09: the reminder of the legal guarantee, with the official notice that the merchant added. */
export default function LegalGuaranteePage() {
  const { notice } = useLoaderData<typeof loader>();
  return (
    <TextPage
      title={GUARANTEE_TITLE}
      lead="At least two years, by law, for everything that we sell."
      intro={
        notice === null ? undefined : (
          <a href={notice.url}>
            <img src={notice.url} alt={notice.text} className={styles.notice} />
          </a>
        )
      }
      sections={[
        ...guaranteeSections.map(({ heading, paragraphs }) => ({
          id: heading.toLowerCase().replaceAll(' ', '-'),
          title: heading,
          body: paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>),
        })),
        {
          id: 'how-to-use-it',
          title: 'How to use it',
          body: (
            <p>
              Report the defect on the page of your <Link to="/dashboard/orders">order</Link>, or{' '}
              <Link to="/contact">write to us</Link>. More about your rights in the European Union:{' '}
              <a href={YOUR_EUROPE}>Your Europe</a>
            </p>
          ),
        },
      ]}
    />
  );
}
