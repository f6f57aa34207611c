import type { SeedReview } from './seed-review.ts';

/** By the slug of the product. */
export const accessoryReviews: Readonly<Record<string, readonly SeedReview[]>> = {
  'airpods-pro-3': [
    {
      name: 'Olivia Grant',
      rating: 5,
      daysAgo: 7,
      text: 'The underground goes quiet as if someone had closed a door. They stay in when I run, which the last ones did not.',
    },
    {
      name: 'Samir Khoury',
      rating: 5,
      daysAgo: 24,
      text: 'Live translation got me through a dinner in Lyon. Felt like cheating.',
    },
    {
      name: 'Eva Lindgren',
      rating: 4,
      daysAgo: 64,
      text: 'Superb sound. It took me three sizes of tips to find the right ones, and all were in the box.',
    },
    {
      name: 'Patrick Nolan',
      rating: 5,
      daysAgo: 142,
      text: 'Calls in the wind finally work. The people at the other end noticed before I did.',
    },
  ],
  'airpods-4': [
    {
      name: 'Mina Park',
      rating: 4,
      daysAgo: 53,
      text: 'Comfortable for hours because nothing is pushed into the ear. Do not expect them to silence a train.',
    },
    {
      name: 'Jakub Dvořák',
      rating: 5,
      daysAgo: 168,
      text: 'Tiny case, quick pairing, good sound. Bought a second pair for my sister.',
    },
  ],
  'airpods-max-usb-c': [
    {
      name: 'Charlotte Ives',
      rating: 5,
      daysAgo: 74,
      text: 'I put them on and the office disappears. Midnight is a very dark blue, nearly black.',
    },
    {
      name: 'Diego Fuentes',
      rating: 3,
      daysAgo: 215,
      text: 'They sound wonderful and weigh something. After a long film I am glad to take them off.',
    },
  ],
  'beats-studio-pro': [
    {
      name: 'Tyler Jackson',
      rating: 4,
      daysAgo: 59,
      text: 'More bass than I am used to, in a good way. They fold up, and the cable works with everything.',
    },
    {
      name: 'Marta Silva',
      rating: 5,
      daysAgo: 187,
      text: 'Long flights are bearable again. Battery lasted from London to Singapore with some left.',
    },
  ],
  'homepod-mini': [
    {
      name: 'Greta Hoffmann',
      rating: 5,
      daysAgo: 92,
      text: 'Two of them as a pair fill the kitchen. Timers by voice with flour on my hands: priceless.',
    },
    {
      name: 'Owen Price',
      rating: 4,
      daysAgo: 233,
      text: 'Remarkable sound for its size. It mishears me when the tap is running.',
    },
  ],
  airtag: [
    {
      name: 'Isabel Moreno',
      rating: 5,
      daysAgo: 13,
      text: 'My suitcase went to Frankfurt without me and I could tell the airline so. It came back the same evening.',
    },
    {
      name: 'Graham Stone',
      rating: 5,
      daysAgo: 49,
      text: 'One on the keys, one on the cat. The cat has more of a life than I thought.',
    },
    {
      name: 'Lucía Navarro',
      rating: 4,
      daysAgo: 129,
      text: 'Works as promised. You need something to hang it on, so plan for a holder.',
    },
    {
      name: 'Erik Dahl',
      rating: 5,
      daysAgo: 256,
      text: 'A year in, first battery just changed, a coin cell from the corner shop.',
    },
  ],
  'apple-pencil-pro': [
    {
      name: 'Ama Boateng',
      rating: 5,
      daysAgo: 35,
      text: 'The squeeze for tools is one of those things you miss at once when you go back.',
    },
    {
      name: 'Robin Petit',
      rating: 4,
      daysAgo: 148,
      text: 'Lovely to draw with. Check that it fits your iPad, the older ones take another model.',
    },
  ],
  'magsafe-charger': [
    {
      name: 'Tara Sullivan',
      rating: 4,
      daysAgo: 101,
      text: 'Snaps on in the dark. I would have liked a longer cable and found there is one.',
    },
    {
      name: 'Nikolai Petrov',
      rating: 5,
      daysAgo: 240,
      text: 'Charges through the case overnight. One at home, one at work, done.',
    },
  ],
  'logitech-mx-master-3s-mac': [
    {
      name: 'Julia Neumann',
      rating: 5,
      daysAgo: 45,
      text: 'The wheel spins through a thousand rows in one flick. My wrist stopped complaining.',
    },
    {
      name: 'Andre Baptiste',
      rating: 5,
      daysAgo: 156,
      text: 'Silent clicks. My partner sleeps, I finish my spreadsheet, everybody wins.',
    },
    { name: 'Wendy Cheng', rating: 3, daysAgo: 264, text: 'Excellent mouse for large hands. Mine are not large.' },
  ],
  'anker-737-power-bank': [
    {
      name: 'Simon Falk',
      rating: 5,
      daysAgo: 78,
      text: 'Charges a MacBook on the train, fast. The little screen says how much is left in hours, which is what I want to know.',
    },
    {
      name: 'Leila Rahimi',
      rating: 4,
      daysAgo: 205,
      text: 'A serious brick, in strength and in weight. Security let it through without a word.',
    },
  ],
};
