import type { ComponentProps, ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import { Icon } from '#src/ui/icons.tsx';
import type { DeliveryTexts } from '../home/contract.ts';
import { formatAfterDispatch, formatRange } from '#src/shop/delivery-times.ts';
import { FaqList } from './faq-list.tsx';
import styles from './free-shipping-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Free shipping', matches) },
  { name: 'description', content: 'Every order ships free. Countries, delivery times and packaging.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const [faq, { delivery }] = await Promise.all([call('GET /faq'), call('GET /delivery')]);
  return {
    delivery,
    // The question about delivery, or the first one if staff have changed its wording.
    item: faq.find(({ question }) => /deliver|shipping/i.test(question)) ?? faq[0] ?? null,
  };
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

/** True of every shop that delivers free; the merchant's own texts replace them. */
const NEUTRAL: DeliveryTexts = {
  lead: 'On every order.',
  coverage: 'We ship to every country that you can select at checkout, free of charge.',
  exception: '',
  packaging: '',
  dispatch: null,
  times: [],
};

/** PAGE-01. What the merchant has not written is left out. */
function listShippingPromises({ coverage, dispatch, exception, packaging }: DeliveryTexts): ShippingPromise[] {
  const dispatched = dispatch && `Orders are processed and shipped with in ${formatRange(dispatch)}`;
  const promises: (ShippingPromise | false)[] = [
    coverage !== '' && { icon: 'globe', title: 'Global coverage', text: coverage },
    (dispatched !== null || exception !== '') && {
      icon: 'truck',
      title: 'Fast dispatch',
      text: dispatched === null ? exception : <NoWrap text={dispatched} />,
      ...(dispatched !== null && exception !== '' && { exception }),
    },
    packaging !== '' && { icon: 'box', title: 'Secure packaging', text: packaging },
  ];
  return promises.filter((one) => one !== false);
}

/** The time of an area with its note. */
const describeTime = ({ range, note }: DeliveryTexts['times'][number]): string =>
  [range && formatAfterDispatch(range), note].filter(Boolean).join(', ');

export default function FreeShippingPage() {
  const { item, delivery } = useLoaderData<typeof loader>();
  const texts = delivery ?? NEUTRAL;
  return (
    <TextPage title="Free shipping" lead={texts.lead}>
      <ul className={styles.promises}>
        {listShippingPromises(texts).map(({ icon, title, text, exception }) => (
          <li key={title}>
            <Icon name={icon} size={32} />
            <h2>{title}</h2>
            <p>{text}</p>
            {exception !== undefined && <p>{exception}</p>}
          </li>
        ))}
      </ul>
      {texts.times.length > 0 && (
        <section aria-labelledby="times-title" className={styles.columns}>
          <h2 id="times-title">Delivery times</h2>
          <dl className={styles.times}>
            {texts.times.map((time) => (
              <div key={time.area}>
                <dt>{time.area}</dt>
                <dd>
                  <NoWrap text={describeTime(time)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
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
