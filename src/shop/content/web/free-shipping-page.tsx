import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { TextPage } from '#src/web/layout/text-page.tsx';
import { pageContext } from '#src/web/page-context.ts';
import { ButtonLink } from '#src/web/ui/button.tsx';
import { Icon } from '#src/web/ui/icons.tsx';
import { FaqList } from './faq-list.tsx';
import styles from './free-shipping-page.module.css';

export const meta: MetaFunction = () => [
  { title: 'Free shipping · Crypto Market' },
  { name: 'description', content: 'Every order ships free, insured and tracked, to every country we know of.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const faq = await context.get(pageContext).call('GET /faq');
  // The one about delivery; should staff have reworded it beyond recognition, the first is better than none.
  return { item: faq.find(({ question }) => /deliver|shipping/i.test(question)) ?? faq[0] ?? null };
}

const PROMISES = [
  {
    icon: 'globe',
    title: 'Global coverage',
    text: 'From London to every continent. Tell us the address, and we find the way; it costs you nothing anywhere.',
  },
  {
    icon: 'truck',
    title: 'On its way at once',
    text: (
      <>
        Orders are processed and shipped with in <span className={styles.whole}>1–2</span> business days
      </>
    ),
  },
  {
    icon: 'box',
    title: 'Secure packaging',
    text: 'Sealed in a plain, padded box that says nothing of what is inside. Insured for its full price, with tracking.',
  },
] as const;

const TIMES = [
  ['London', 'within 24 hours of the confirmed payment'],
  ['Rest of the United Kingdom', '1–2 working days after dispatch'],
  ['Europe', '2–4 working days after dispatch'],
  ['Other continents', '4–8 working days after dispatch'],
] as const;

export default function FreeShippingPage() {
  const { item } = useLoaderData<typeof loader>();
  return (
    <TextPage
      title="Free shipping"
      lead="On every order, large or small, wherever you are. No minimum, no small print."
    >
      <ul className={styles.promises}>
        {PROMISES.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon name={icon} size={32} />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <section aria-labelledby="times-title" className={styles.columns}>
        <h2 id="times-title">When it arrives</h2>
        <dl className={styles.times}>
          {TIMES.map(([place, time]) => (
            <div key={place}>
              <dt>{place}</dt>
              <dd>{time}</dd>
            </div>
          ))}
        </dl>
      </section>
      {item && (
        <section aria-labelledby="question-title" className={styles.columns}>
          <h2 id="question-title">Often asked</h2>
          <FaqList items={[item]} />
        </section>
      )}
      <div>
        <ButtonLink to="/">Go to home</ButtonLink>
      </div>
    </TextPage>
  );
}
