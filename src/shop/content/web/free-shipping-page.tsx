import type { ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { LineArt } from '#src/ui/graphics/line-art.tsx';
import type { DeliveryTexts } from '../home/contract.ts';
import { formatAfterDispatch, formatRange } from '#src/shop/delivery-times.ts';
import { describeZone } from '#src/shop/shipping/describe-zone.ts';
import { FaqList } from './faq-list.tsx';
import { ShippingPrices } from './shipping-prices.tsx';
import styles from './free-shipping-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => {
  const isFree = loaderData?.zones === null;
  return [
    { title: formatPageTitle(isFree ? 'Free shipping' : 'Shipping', matches) },
    {
      name: 'description',
      content: `${isFree ? 'Every order ships free' : 'Shipping costs'}. Countries, delivery times and packaging.`,
    },
  ];
};

export async function loader({ context }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const [faq, { delivery }, shipping] = await Promise.all([
    call('GET /faq'),
    call('GET /delivery'),
    call('GET /shipping'),
  ]);
  return {
    delivery,
    // Null while every order ships free.
    zones: shipping.is_free_everywhere ? null : shipping.zones.map(describeZone),
    isWorldwide: shipping.countries === null,
    // The question about delivery, or the first one if staff have changed its wording.
    item: faq.find(({ question }) => /deliver|shipping/i.test(question)) ?? faq[0] ?? null,
  };
}

/** Keeps a range of numbers on one line. */
function NoWrap({ text }: { readonly text: string }) {
  const parts = text.split(/(\d–\d)/);
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

interface ShippingPromise {
  readonly icon: ReactNode;
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

const PAID_LEAD = 'Prices by country.';
const SELECTABLE = 'We ship to every country that you can select at checkout.';

const ICON_SIZE = 32;
// Not in `ui/graphics/icons.tsx`, which every page loads.
const GLOBE = (
  <LineArt size={ICON_SIZE}>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c-6 6-6 12 0 18M12 3c6 6 6 12 0 18" />
  </LineArt>
);
const BOX = (
  <LineArt size={ICON_SIZE}>
    <path d="m12 3 8 4.5v9L12 21l-8-4.5v-9L12 3Zm-8 4.5L12 12l8-4.5M12 12v9M8 5.2l8 4.6" />
  </LineArt>
);

/** PAGE-01. What the merchant has not written is left out. */
function listShippingPromises(
  { coverage, dispatch, exception, packaging }: DeliveryTexts,
  isWorldwide: boolean,
): ShippingPromise[] {
  const dispatched = dispatch && `Orders are processed and shipped with in ${formatRange(dispatch)}`;
  const promises: (ShippingPromise | false)[] = [
    coverage !== '' && { icon: GLOBE, title: isWorldwide ? 'Global coverage' : 'Coverage', text: coverage },
    (dispatched !== null || exception !== '') && {
      icon: <Icon name="truck" size={ICON_SIZE} />,
      title: 'Fast dispatch',
      text: dispatched === null ? exception : <NoWrap text={dispatched} />,
      ...(dispatched !== null && exception !== '' && { exception }),
    },
    packaging !== '' && { icon: BOX, title: 'Secure packaging', text: packaging },
  ];
  return promises.filter((one) => one !== false);
}

/** The time of an area with its note. */
const describeTime = ({ range, note }: DeliveryTexts['times'][number]): string =>
  [range && formatAfterDispatch(range), note].filter(Boolean).join(', ');

export default function FreeShippingPage() {
  const { item, delivery, isWorldwide, zones } = useLoaderData<typeof loader>();
  const written = delivery ?? NEUTRAL;
  // The merchant wrote the texts for a shop that ships everywhere for free.
  const texts = {
    ...written,
    ...(zones !== null && { lead: PAID_LEAD }),
    ...((zones !== null || !isWorldwide) && { coverage: SELECTABLE }),
  };
  return (
    <TextPage title={zones === null ? 'Free shipping' : 'Shipping'} lead={texts.lead}>
      <ul className={styles.promises}>
        {listShippingPromises(texts, isWorldwide).map(({ icon, title, text, exception }) => (
          <li key={title}>
            {icon}
            <h2>{title}</h2>
            <p>{text}</p>
            {exception !== undefined && <p>{exception}</p>}
          </li>
        ))}
      </ul>
      {zones !== null && <ShippingPrices zones={zones} />}
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
