/** Ids of the routes whose pages choose their frame: that of the shop, or the one of the checkout. */
export const OWN_FRAMES = /^orders\/(?:checkout|pay)$/;
