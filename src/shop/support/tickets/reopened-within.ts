/** How long after it was closed a ticket can be reopened. */
export const REOPENED_WITHIN_DAYS = 14;
