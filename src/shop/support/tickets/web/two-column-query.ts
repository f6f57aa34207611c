/** Media query: the messages of a ticket stand beside the list of tickets. */
export const TWO_COLUMN_QUERY = '(min-width: 992px)';
