import type { SeedReview } from './seed-review.ts';

export const shopReviews: readonly SeedReview[] = [
  {
    name: 'Hannah Lindqvist',
    rating: 5,
    daysAgo: 4,
    text: 'Scanned the code, and before I had put my phone down the page said it had seen the payment. The iPhone was on my desk in Stockholm three days later, sealed and exactly the colour I chose.',
  },
  {
    name: 'Marcus Oyelaran',
    rating: 5,
    daysAgo: 11,
    text: 'Ordered at nine in the morning in Camden, confirmed by half past, MacBook in my hands the next day. I have waited longer for a pizza.',
  },
  {
    name: 'Giulia Ferrero',
    rating: 4,
    daysAgo: 19,
    text: 'My exchange took its fee out of the amount, so a little was missing. The page showed a new code for just the difference and both counted together. Could warn about it more loudly, hence four stars.',
  },
  {
    name: 'Tomás Herrera',
    rating: 5,
    daysAgo: 27,
    text: 'First time I paid for anything with bitcoin. The how to buy page walked me through it and support answered my one silly question in ten minutes.',
  },
  {
    name: 'Aiko Tanabe',
    rating: 4,
    daysAgo: 42,
    text: 'Parcel to Osaka took six working days, as announced, and the shipping really was free. Customs was my own affair, which is fair enough.',
  },
  {
    name: 'Ewan MacLeod',
    rating: 5,
    daysAgo: 58,
    text: 'What you see at checkout is what you pay: the rate is fixed while you get your wallet out. No card form, no detour through another site, no drama.',
  },
  {
    name: 'Nadia Benali',
    rating: 5,
    daysAgo: 76,
    text: 'Sent an iPad back because I had picked the wrong size. The label came the same afternoon and the refund arrived in my wallet the day they had it. That is why I came back.',
  },
  {
    name: 'Pieter van Dijk',
    rating: 3,
    daysAgo: 94,
    text: 'Everything arrived in order, but my transaction sat with a low fee for four hours. The shop accepted it in the end without a fuss. My own doing, still nerve-racking.',
  },
  {
    name: 'Chloe Marchetti',
    rating: 5,
    daysAgo: 121,
    text: 'I compared five shops that take bitcoin. This is the only one where the dollar price was the normal price and not a hidden surcharge.',
  },
  {
    name: 'Jonas Weber',
    rating: 4,
    daysAgo: 158,
    text: 'Bought a Mac Studio for the office. The receipt has the transaction on it and our accountant was happy. Would love a way to order for several addresses at once.',
  },
  {
    name: 'David Kowalczyk',
    rating: 5,
    daysAgo: 247,
    text: 'Closed the tab after paying because I had to run. The order page had counted the confirmations on its own by the time I was back. It simply works.',
  },
  {
    name: 'Arjun Mehta',
    rating: 5,
    daysAgo: 331,
    text: 'Three orders in a year, three different addresses to pay to, never a question left open. I trust a shop that never asks me for more than it needs.',
  },
];
