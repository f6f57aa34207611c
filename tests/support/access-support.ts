/** Rows of the access table for support, moderation and customers. */
import { ABSENT_ID } from './access-callers.ts';
import { all, areaOnly, createNumber, plain, staffOnly } from './access-rows.ts';

const message = (rest = '') => `/support/contact-messages/${ABSENT_ID}${rest}`;
const customer = (rest = '') => `/support/customers/${ABSENT_ID}${rest}`;
const review = (rest: string) => `/support/reviews/${ABSENT_ID}${rest}`;

export const SUPPORT_ROWS = {
  'GET /support/tickets': areaOnly('support', 200),
  'GET /support/ticket-counts': areaOnly('support', 200),
  'GET /support/tickets/{id}': areaOnly('support', 200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}`,
  })),
  'POST /support/tickets/{id}/assign': areaOnly('support', 200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}/assign`,
    body: { assignee_id: null, seen_assignee_id: null },
  })),
  'POST /support/tickets/{id}/notes': areaOnly('support', 404, () => ({
    path: `/support/tickets/${ABSENT_ID}/notes`,
    body: { text: 'A note' },
  })),
  'DELETE /support/tickets/{id}/notes/{note_id}': areaOnly('support', 404, () => ({
    path: `/support/tickets/${ABSENT_ID}/notes/${ABSENT_ID}`,
  })),
  'GET /support/canned-answers': areaOnly('support', 200),
  'POST /support/canned-answers': areaOnly('support', 201, () => ({
    body: { title: `Answer ${createNumber()}`, text: 'Hello' },
  })),
  'PUT /support/canned-answers/{id}': areaOnly('support', 404, () => ({
    path: `/support/canned-answers/${ABSENT_ID}`,
    body: { title: 'Absent', text: 'Hello', version: 1 },
  })),
  'DELETE /support/canned-answers/{id}': areaOnly('support', 404, () => ({
    path: `/support/canned-answers/${ABSENT_ID}`,
  })),
  'GET /support/contact-messages': areaOnly('support', 200),
  'GET /support/contact-messages/{id}': areaOnly('support', 404, () => ({ path: message() })),
  'POST /support/contact-messages/{id}/answers': areaOnly('support', 404, () => ({
    path: message('/answers'),
    body: { text: 'Hello', seen_answer_id: null },
  })),
  'POST /support/contact-messages/{id}/state': areaOnly('support', 404, () => ({
    path: message('/state'),
    body: { is_done: true },
  })),
  'POST /support/contact-messages/{id}/spam': areaOnly('support', 404, () => ({
    path: message('/spam'),
    body: { is_spam: true },
  })),
  'DELETE /support/contact-messages/{id}': areaOnly('support', 404, () => ({ path: message() })),
  'GET /support/reviews': areaOnly('support', 200),
  'PUT /support/reviews/{id}/reply': areaOnly('support', 404, () => ({
    path: review('/reply'),
    body: { text: 'Thank you', seen: null },
  })),
  'POST /support/reviews/{id}/remove-reply': areaOnly('support', 404, () => ({
    path: review('/remove-reply'),
    body: { seen: null },
  })),
  'GET /review-replies/shop': plain(all(200)),
  'GET /verified-reviews/product/{id}': plain(all(404), () => ({ path: `/verified-reviews/product/${ABSENT_ID}` })),
  'GET /review-replies/product/{id}': plain(all(404), () => ({ path: `/review-replies/product/${ABSENT_ID}` })),
  'GET /support/customers': areaOnly('customers', 200),
  'GET /support/customers/{id}': areaOnly('customers', 404, () => ({ path: customer() })),
  'POST /support/customers/{id}/block': staffOnly(404, () => ({ path: customer('/block') })),
  'POST /support/customers/{id}/unblock': staffOnly(404, () => ({ path: customer('/unblock') })),
  'POST /support/customers/{id}/end-sessions': staffOnly(404, () => ({ path: customer('/end-sessions') })),
  'POST /support/customers/{id}/erase': staffOnly(404, () => ({
    path: customer('/erase'),
    body: { username: 'nobody' },
  })),
};
