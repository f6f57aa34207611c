/** Media query: the messages of a ticket stand beside the list of tickets. */
export const SIDE_BY_SIDE = '(min-width: 992px)';
