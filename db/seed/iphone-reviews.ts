import type { SeedReview } from './seed-review.ts';

/** By the slug of the product. */
export const iphoneReviews: Readonly<Record<string, readonly SeedReview[]>> = {
  'iphone-air': [
    {
      name: 'Lena Fischer',
      rating: 5,
      daysAgo: 9,
      text: 'I keep checking my pocket because I cannot feel it. The screen is gorgeous and it survived a week in a backpack without a scratch.',
    },
    {
      name: 'Omar Haddad',
      rating: 4,
      daysAgo: 33,
      text: 'Thinnest phone I have owned. The battery gets me through a working day, not through a festival, so I carry a small power bank.',
    },
    {
      name: 'Grace Whitfield',
      rating: 5,
      daysAgo: 61,
      text: 'One camera turned out to be all I need. Photographs of the children in bad light are sharp and the colours look true.',
    },
    {
      name: 'Viktor Sandberg',
      rating: 4,
      daysAgo: 118,
      text: 'Beautifully made. Gets a little warm when I edit video, which is hardly a surprise at this thickness.',
    },
  ],
  'iphone-17-pro': [
    {
      name: 'Imogen Clarke',
      rating: 5,
      daysAgo: 6,
      text: 'The long lens is the reason to buy it. I photographed a heron from the other bank and you can count the feathers.',
    },
    {
      name: 'Ruben Castillo',
      rating: 5,
      daysAgo: 22,
      text: 'Came from a five-year-old phone. Everything opens before I have finished tapping, and it charges over breakfast.',
    },
    {
      name: 'Mei Lin',
      rating: 4,
      daysAgo: 47,
      text: 'Excellent in every way, though the camera plateau makes it rock on the table. A case fixes that.',
    },
    {
      name: 'Stefan Novak',
      rating: 5,
      daysAgo: 80,
      text: 'Shot a short film with it. Paid with the bitcoin that the last one earned me, which felt like closing a circle.',
    },
    {
      name: 'Amelia Brooks',
      rating: 4,
      daysAgo: 139,
      text: 'Cosmic Orange is louder than in the pictures, and I have come to love it. Signal indoors is clearly better than before.',
    },
  ],
  'iphone-17-pro-max': [
    {
      name: 'Dmitri Volkov',
      rating: 5,
      daysAgo: 14,
      text: 'Two days on a charge with maps and music running. That alone settles it for me.',
    },
    {
      name: 'Fatima Zahra',
      rating: 4,
      daysAgo: 66,
      text: 'A wonderful screen for reading. It is big, so try one in your hand before you order.',
    },
    {
      name: 'Callum Reid',
      rating: 5,
      daysAgo: 102,
      text: 'Video from the front camera is good enough that colleagues asked which webcam I use.',
    },
  ],
  'iphone-17': [
    {
      name: 'Sofia Papadaki',
      rating: 5,
      daysAgo: 12,
      text: 'The smooth screen used to cost extra. Now the ordinary one has it and I see no reason to spend more.',
    },
    {
      name: 'Liam Doherty',
      rating: 5,
      daysAgo: 55,
      text: 'Set up from my old phone in twenty minutes. Lavender is lovely and understated.',
    },
    {
      name: 'Yara Costa',
      rating: 4,
      daysAgo: 127,
      text: 'Great phone for the money. I miss a proper zoom now and then, at concerts mostly.',
    },
  ],
  'iphone-16e': [
    {
      name: 'Peter Hughes',
      rating: 4,
      daysAgo: 38,
      text: 'Bought for my father. It is quick, it lasts all day, and he has one button fewer to worry about.',
    },
    {
      name: 'Ivana Horvat',
      rating: 3,
      daysAgo: 145,
      text: 'A good phone with one camera. I would have liked magnets on the back for the charger in the car.',
    },
  ],
  'iphone-16-pro': [
    {
      name: 'Noah Bergström',
      rating: 5,
      daysAgo: 88,
      text: 'Last year’s best at this year’s price. I could not tell the difference in daily use.',
    },
    {
      name: 'Camille Roux',
      rating: 4,
      daysAgo: 190,
      text: 'The size is right for one hand and the titanium still looks new after half a year.',
    },
  ],
};
