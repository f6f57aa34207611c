import type { ComponentProps, ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import { Icon } from '#src/ui/icons.tsx';
import { DELIVERY_TIMES, DISPATCH_PROMISE } from '../delivery-table.ts';
import { LONDON_PROMISE } from '#src/shop/delivery-times.ts';
import { FaqList } from './faq-list.tsx';
import styles from './free-shipping-page.module.css';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Free shipping') },
  { name: 'description', content: 'Every order ships free, insured and tracked, to every country.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const faq = await context.get(pageContext).call('GET /faq');
  // The question about delivery, or the first one if staff have changed its wording.
  return { item: faq.find(({ question }) => /deliver|shipping/i.test(question)) ?? faq[0] ?? null };
}

/** Keeps a range of numbers on one line. */
function NoWrap({ text }: { readonly text: string }) {
  const parts = text.split(/(\d–\d)/);
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className={styles.whole}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

interface ShippingPromise {
  readonly icon: ComponentProps<typeof Icon>['name'];
  readonly title: string;
  readonly text: ReactNode;
  readonly exception?: string;
}

const PROMISES: readonly ShippingPromise[] = [
  {
    icon: 'globe',
    title: 'Global coverage',
    text: 'We ship from London to every continent, free of charge.',
  },
  {
    icon: 'truck',
    title: 'Fast dispatch',
    text: <NoWrap text={DISPATCH_PROMISE} />,
    exception: `London: ${LONDON_PROMISE.toLowerCase()}, by our own courier`,
  },
  {
    icon: 'box',
    title: 'Secure packaging',
    text: 'A sealed, padded box without product branding. Insured for the full price and tracked.',
  },
];

export default function FreeShippingPage() {
  const { item } = useLoaderData<typeof loader>();
  return (
    <TextPage title="Free shipping" lead="On every order, worldwide. No minimum.">
      <ul className={styles.promises}>
        {PROMISES.map(({ icon, title, text, exception }) => (
          <li key={title}>
            <Icon name={icon} size={32} />
            <h2>{title}</h2>
            <p>{text}</p>
            {exception !== undefined && <p>{exception}</p>}
          </li>
        ))}
      </ul>
      <section aria-labelledby="times-title" className={styles.columns}>
        <h2 id="times-title">Delivery times</h2>
        <dl className={styles.times}>
          {DELIVERY_TIMES.map(({ area, time }) => (
            <div key={area}>
              <dt>{area}</dt>
              <dd>
                <NoWrap text={time} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {item && (
        <section aria-labelledby="question-title" className={styles.columns}>
          <h2 id="question-title">Frequently asked</h2>
          <FaqList items={[item]} />
        </section>
      )}
      <div>
        <ButtonLink to="/">Go to home</ButtonLink>
      </div>
    </TextPage>
  );
}
