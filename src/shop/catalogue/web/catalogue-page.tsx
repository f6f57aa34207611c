import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import { pageContext } from '#src/web/page-context.ts';
import { Icon } from '#src/web/ui/icons.tsx';
import { cardOf, ProductCard } from '#src/web/ui/product-card.tsx';
import styles from './catalogue-page.module.css';

/** How many products of a category are shown here at most; its own page has all of them. */
const GROUP_LENGTH = '24';
const CARD_WIDTHS = '(max-width: 767px) 40vw, (max-width: 1199px) 28vw, 256px';

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  { title: 'Catalog · Crypto Market' },
  {
    name: 'description',
    content: `${loaderData?.groups.map(({ name }) => name).join(', ')}: every device we sell, paid in Bitcoin.`,
  },
  { tagName: 'link', rel: 'canonical', href: loaderData?.url },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const categories = await call('GET /categories');
  const groups = await Promise.all(
    categories.map(async ({ id, name, slug }) => {
      const products = await call('GET /products', { query: { category: id, limit: GROUP_LENGTH } });
      return { id, name, slug, products: products.map(cardOf) };
    }),
  );
  return {
    url: new URL('/catalog', request.url).href,
    groups: groups.filter(({ products }) => products.length > 0),
  };
}

type Group = Awaited<ReturnType<typeof loader>>['groups'][number];

export default function CataloguePage() {
  const { groups } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.title}>Explore our catalog of Different Devices</h1>
        <nav aria-label="Categories on this page" className={styles.jumps}>
          <ul>
            {groups.map(({ id, name, slug }) => (
              <li key={id}>
                <Link to={`#${slug}`}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {groups.map((group, index) => (
        <CategoryGroup key={group.id} group={group} isFirst={index === 0} />
      ))}
    </div>
  );
}

function CategoryGroup({ group, isFirst }: { readonly group: Group; readonly isFirst: boolean }) {
  const { name, slug, products } = group;
  const headingId = `${slug}-title`;
  return (
    <section id={slug} aria-labelledby={headingId}>
      <div className={styles.groupHead}>
        <h2 id={headingId}>{name}</h2>
        <Link to={`/catalog/category/${slug}`} className={styles.all} aria-describedby={headingId}>
          View all
          <Icon name="chevronRight" size={16} />
        </Link>
      </div>
      <ul className={styles.grid}>
        {products.map((product, index) => (
          <li key={product.id}>
            <ProductCard product={product} sizes={CARD_WIDTHS} isFirst={isFirst && index < 2} />
          </li>
        ))}
      </ul>
    </section>
  );
}
