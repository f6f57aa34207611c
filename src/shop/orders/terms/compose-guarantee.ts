/**
 * The reminder of the legal guarantee of conformity that consumers are given before they order (2011/83/EU, articles
 * 6(1)(l) and 22a(3), as amended by 2024/825) and with the confirmation of the contract (article 8(7)). The words are
 * ours; the main elements are those of Directive 2019/771. The notice whose design Implementing Regulation 2025/1960,
 * annex I, prescribes is a file of the Commission, which the merchant adds in the settings.
 */
import type { TermsDocument, TermsSection } from './terms-content.ts';

export const YOUR_EUROPE = 'https://europa.eu/youreurope';

export const GUARANTEE_TITLE = 'Legal guarantee of conformity';

export const guaranteeSections: readonly TermsSection[] = [
  {
    heading: 'At least two years',
    paragraphs: [
      // 2019/771, articles 10 and 11.
      'The law gives you a legal guarantee: the seller is liable for every lack of conformity that exists when you receive the goods and becomes apparent within at least two years. The law of your country may give you more time. What becomes apparent within the first year is presumed to have existed from the start.',
    ],
  },
  {
    heading: 'Your rights',
    paragraphs: [
      // 2019/771, articles 13 to 16.
      'If goods do not work as agreed or as you can reasonably expect, you can choose repair or replacement, free of charge, within a reasonable time and without significant inconvenience. You can ask for a lower price, or return the goods for a full refund, if repair and replacement are impossible or disproportionate, if they fail or are refused, or if the defect is serious.',
    ],
  },
  {
    heading: 'Devices with software',
    paragraphs: [
      // 2019/771, article 7(3).
      'For a device with digital elements, such as a phone or a watch, you are also entitled to the updates, including security updates, that keep it in conformity for as long as you can reasonably expect.',
    ],
  },
  {
    heading: 'Guarantees of makers',
    paragraphs: [
      // 2019/771, article 17.
      'A commercial guarantee of a maker or a shop is voluntary. It comes on top of the legal guarantee and never limits it.',
    ],
  },
];

/** The reminder as a text of an order. */
export const composeGuarantee = (shopUrl: string): TermsDocument => ({
  title: GUARANTEE_TITLE,
  sections: [
    ...guaranteeSections,
    {
      heading: 'How to use it',
      paragraphs: [
        `Report the defect on the page of your order, or write to us at ${shopUrl}/contact. More about your rights in the European Union: ${YOUR_EUROPE}`,
      ],
    },
  ],
});
