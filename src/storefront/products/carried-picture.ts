/** The picture of a product that a view transition moves between its card and its page. */

const NAME = 'device';

/** Only one element may have the name: two would end the transition. */
let carried: HTMLElement | null = null;
/** Of the card that was pressed. */
let from: string | null = null;

function carry(picture: HTMLElement | null): void {
  carried?.style.removeProperty('view-transition-name');
  carried = picture;
  picture?.style.setProperty('view-transition-name', NAME);
}

const getCardPicture = (link: HTMLElement): HTMLElement | null =>
  link.closest('article')?.querySelector<HTMLElement>('img') ?? null;

/** As the link of its card is pressed. */
export function carryFromCard(link: HTMLElement): void {
  from = link.getAttribute('href');
  carry(getCardPicture(link));
}

/** As its page is shown. @returns as that page is left: carries it to the card, if the page that follows has it. */
export function carryToPage(picture: HTMLElement | null): () => void {
  carry(picture);
  return () => {
    const card = [...document.querySelectorAll<HTMLElement>('article a')].find(
      (link) => link.getAttribute('href') === from,
    );
    carry(card ? getCardPicture(card) : null);
  };
}
