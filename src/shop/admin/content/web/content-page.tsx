import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { LEGAL_KINDS, LEGAL_TITLES } from '#src/shop/content/legal/legal-kind.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Row } from '#src/ui/layout/row.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import styles from './content-forms.module.css';
import { DeliverySection } from './delivery-fields.tsx';
import { GuideForm } from './guide-form.tsx';
import { HomeSections } from './home-sections.tsx';
import { LegalEditor } from './legal-editor.tsx';
import { Questions } from './questions.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { classNames } from '#src/ui/styles/class-names.ts';

const PARTS = ['home', 'delivery', 'guide', 'faq', ...LEGAL_KINDS] as const;
const TITLES = { home: 'Home page', delivery: 'Delivery', guide: 'How to buy', faq: 'FAQ', ...LEGAL_TITLES } as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Content · Back office', matches) },
  { name: 'description', content: 'Texts of the home page, questions, terms, privacy and returns.' },
];

// One page for all texts: the list of pages is sent to every visitor.
export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/content', 'catalogue');
  const parameters = new URL(args.request.url).searchParams;
  const part = PARTS.find((one) => one === parameters.get('part')) ?? 'home';
  if (part === 'home') {
    const [sections, categories] = await Promise.all([
      read('GET /content/home').catch(() => null),
      read('GET /categories'),
    ]);
    return { part, sections, categories: categories.map(({ id, name }) => ({ id, name })) } as const;
  }
  if (part === 'delivery') {
    return { part, sections: await read('GET /content/home').catch(() => null) } as const;
  }
  if (part === 'guide') return { part, guide: await read('GET /content/guide').catch(() => null) } as const;
  if (part === 'faq') return { part, faq: await read('GET /content/faq').catch(() => null) } as const;
  const number = parameters.get('version') ?? '';
  const text = await read('GET /content/legal/{kind}', { params: { kind: part } }).catch(() => null);
  const newest = String(text?.versions[0]?.number ?? '');
  const readVersion = (of: string) =>
    /^[1-9]\d{0,8}$/.test(of)
      ? read('GET /content/legal/{kind}/{number}', { params: { kind: part, number: of } }).catch(() => null)
      : null;
  const version = await readVersion(number);
  const inForce = version && number !== newest ? await readVersion(newest) : null;
  return { part, text, version, inForce } as const;
}

/** OPS-07: the merchant's texts. */
export default function ContentPage() {
  const loaded = useLiveLoaderData<typeof loader>(['settings']);
  return (
    <AdminFrame title="Content">
      <Row as="nav" aria-label="Texts" gap={24} rowGap={0}>
        {PARTS.map((part) => (
          <Link
            key={part}
            to={`/admin/content?part=${part}`}
            aria-current={part === loaded.part ? 'page' : undefined}
            className={classNames('link accent', styles.tab)}
          >
            {TITLES[part]}
          </Link>
        ))}
      </Row>
      <Part {...loaded} />
    </AdminFrame>
  );
}

function Part(loaded: Awaited<ReturnType<typeof loader>>) {
  if (loaded.part === 'home' && loaded.sections) {
    return <HomeSections sections={loaded.sections} categories={loaded.categories} />;
  }
  if (loaded.part === 'delivery' && loaded.sections) return <DeliverySection stored={loaded.sections.delivery} />;
  if (loaded.part === 'guide' && loaded.guide) return <GuideForm guide={loaded.guide} />;
  if (loaded.part === 'faq' && loaded.faq) return <Questions faq={loaded.faq} />;
  if ('text' in loaded && loaded.text) {
    return <LegalEditor key={loaded.part} text={loaded.text} version={loaded.version} inForce={loaded.inForce} />;
  }
  return <ErrorState title="The texts could not be loaded." onRetry={() => void reloadPage()} />;
}
