import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useNavigate } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { call as callApi } from '#src/storefront/call.ts';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import type { StaffPromotion } from '#src/shop/promotions/editing/contract.ts';
import { PromotionEditor } from './promotion-editor.tsx';
import { PromotionStateBadge } from './promotion-state-badge.tsx';
import { PromotionUses } from './promotion-uses.tsx';

/** In the place of an id: a promotion that does not exist yet. */
const NEW = 'new';
const HOME = '/admin/promotions';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(`${loaderData?.promotion?.code ?? 'Create promotion'} · Back office`, matches) },
  { name: 'description', content: 'A promotion with its conditions, a preview and its uses.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `${HOME}/${id}`, 'catalogue');
  if (id === NEW) return { promotion: null, uses: null, page: 1 };
  const page = readPageNumber(new URL(args.request.url).searchParams);
  const params = { id };
  const [found, uses] = await Promise.all([
    call('GET /support/promotions/{id}', { params }),
    // The promotion is shown even if its uses could not be loaded.
    call('GET /support/promotions/{id}/uses', { params, query: { page: String(page) } }).catch(() => null),
  ]).catch(rethrowAsNotFound);
  return { promotion: found.promotion, uses, page };
}

const BACK = <BackLink to={HOME} text="Promotions" />;

/** OPS-11: creates or changes a promotion, with a preview and its uses. */
export default function PromotionPage() {
  const { promotion, uses, page } = useLiveLoaderData<typeof loader>(['promotions']);
  if (promotion === null) {
    return (
      <AdminFrame title="Create promotion" beside={BACK}>
        <PromotionEditor key={NEW} promotion={null} />
      </AdminFrame>
    );
  }
  return (
    <AdminFrame
      title={
        <span translate="no" className="wrap-anywhere">
          {promotion.code}
        </span>
      }
      beside={
        <>
          <PromotionStateBadge state={promotion.state} />
          {BACK}
        </>
      }
    >
      <PromotionEditor key={promotion.id} promotion={promotion} />
      <Section title="Uses" surface="outlined">
        {uses === null ? (
          <ErrorState title="The uses could not be loaded." onRetry={() => void reloadPage()} />
        ) : (
          <PromotionUses found={uses} page={page} />
        )}
      </Section>
      {promotion.can_be_deleted && <DeletePromotion promotion={promotion} />}
    </AdminFrame>
  );
}

function DeletePromotion({ promotion: { id, code } }: { readonly promotion: StaffPromotion }) {
  const navigate = useNavigate();
  return (
    <Section title="Delete" surface="outlined">
      <p className="muted measure">Nobody has used this promotion yet. Once used, it can only be disabled.</p>
      <ConfirmedAction
        button="Delete promotion"
        isDestructive
        question={`Delete ${code}?`}
        meaning={<p>Carts with this code lose it. You can’t undo this.</p>}
        confirm="Delete promotion"
        done="Promotion deleted"
        onConfirm={async () => {
          await callApi('DELETE /support/promotions/{id}', { params: { id } });
          await navigate(HOME, { replace: true });
        }}
      />
    </Section>
  );
}
