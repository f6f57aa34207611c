/** Media query for messages beside the list of tickets. */
export const TWO_COLUMN_QUERY = '(min-width: 992px)';
