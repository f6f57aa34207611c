import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import type { ModeratedReview } from '#src/shop/reviews/contract.ts';
import { call as callApi } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Row } from '#src/ui/layout/row.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { readChoice, readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { ReviewReplyForm } from './review-reply-form.tsx';

const STATES = ['waiting', 'approved', 'rejected'] as const;
const TEXTS = {
  waiting: { text: 'Waiting', tone: 'waiting' },
  approved: { text: 'Approved', tone: 'good' },
  rejected: { text: 'Rejected', tone: 'neutral' },
} as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Reviews · Back office', matches) },
  { name: 'description', content: 'Reviews of customers, those to decide first.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/reviews', 'support');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const state = readChoice(parameters, 'state', STATES);
  const query = { page: String(page), ...(state && { state }) };
  return { found: await call('GET /support/reviews', { query }).catch(() => null), page, state: state ?? '' };
}

/** OPS-04, REV-03: reviews to approve or reject, with public replies of the shop. */
export default function ReviewsPage() {
  const { found, page, state } = useLiveLoaderData<typeof loader>(['reviews']);
  return (
    <AdminFrame title={<ListTitle text="Reviews" count={found?.total ?? null} />}>
      <ListFilters filter={{ state }}>
        <ChoiceFilter
          label="State"
          name="state"
          value={state}
          hasAll
          options={STATES.map((one) => [one, TEXTS[one].text])}
        />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The reviews could not be loaded."
        previous="Previous"
        next="Next"
        empty={
          state === '' ? (
            <EmptyState title="There are no reviews yet." />
          ) : (
            <NoMatch title="No review matches." showAll="Show all reviews" to="/admin/reviews" />
          )
        }
      >
        {({ reviews }) => (
          <Lines gap={16} isFramed>
            {reviews.map((review) => (
              <li key={review.id}>
                <Review review={review} />
              </li>
            ))}
          </Lines>
        )}
      </PagedList>
    </AdminFrame>
  );
}

function Review({ review }: { readonly review: ModeratedReview }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const params = { id: review.id };
  const { text, tone } = TEXTS[review.state];
  return (
    <Stack as="article" gap={8} aria-label={`Review by ${review.name}`}>
      <Row gap={16} rowGap={4} justify="between">
        <p className="strong wrap-anywhere">
          {review.userId === null ? (
            review.name
          ) : (
            <Link to={`/admin/customers/${review.userId}`} className="link">
              {review.name}
            </Link>
          )}
        </p>
        <Badge tone={tone}>{text}</Badge>
      </Row>
      <p className="muted small">
        {review.rating}/5 for{' '}
        {review.product === null ? (
          <span>the shop</span>
        ) : (
          <Link className="link" to={`/catalog/product/${review.product.slug}`}>
            {review.product.name}
          </Link>
        )}
        <span>, </span>
        <Moment at={review.created} shows="moment" />
      </p>
      <p className="multiline measure">{review.text}</p>
      <Row>
        {review.state !== 'approved' && (
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={!isHydrated}
            onClick={() => void run(() => callApi('POST /support/reviews/{id}/approve', { params }), 'Review approved')}
          >
            Approve<span className="visually-hidden"> the review by {review.name}</span>
          </Button>
        )}
        {review.state !== 'rejected' && (
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={!isHydrated}
            onClick={() => void run(() => callApi('POST /support/reviews/{id}/reject', { params }), 'Review rejected')}
          >
            Reject<span className="visually-hidden"> the review by {review.name}</span>
          </Button>
        )}
      </Row>
      {(review.state === 'approved' || review.reply !== null) && <ReviewReplyForm review={review} />}
    </Stack>
  );
}
