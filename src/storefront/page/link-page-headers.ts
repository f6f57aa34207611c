/** Of a page whose path contains a secret: the path is in no Referer, and forms still send their origin. */
export const LINK_PAGE_HEADERS = { 'referrer-policy': 'strict-origin' } as const;
