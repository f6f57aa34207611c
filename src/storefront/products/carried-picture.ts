/** The picture of a product that a view transition moves between its card and its page. */

/** Only one element may have the name: two would end the transition. */
let carried: HTMLElement | null = null;

/** Whether its upper edge is at the height of the window. */
function isSeen(element: HTMLElement): boolean {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < innerHeight;
}

function carry(picture: HTMLElement | null | undefined): void {
  if (carried) carried.style.viewTransitionName = '';
  carried = picture && isSeen(picture) ? picture : null;
  if (carried) carried.style.viewTransitionName = 'device';
}

const getCardPicture = (link: HTMLElement | undefined): HTMLElement | null | undefined =>
  link?.closest('article')?.querySelector<HTMLElement>('img');

/** As the link of its card is pressed. */
export const carryFromCard = (link: HTMLElement): void => carry(getCardPicture(link));

/**
 * As its page is shown, and as the visitor goes back from there.
 *
 * @param getPicture that the page shows then
 * @returns to be called as the page is left: carries it to its card, if the page that follows shows it
 */
export function carryToPage(getPicture: () => HTMLElement | null | undefined): () => void {
  const path = location.pathname;
  const carryShown = (): void => carry(getPicture());
  carryShown();
  addEventListener('popstate', carryShown);
  return () => {
    removeEventListener('popstate', carryShown);
    const links = [...document.querySelectorAll<HTMLAnchorElement>('article h3 a')];
    carry(getCardPicture(links.find((link) => link.pathname === path && isSeen(link))));
  };
}
