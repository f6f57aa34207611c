import type { SeedReview } from './seed-review.ts';

/** By the slug of the product. */
export const deviceReviews: Readonly<Record<string, readonly SeedReview[]>> = {
  'macbook-air-13-m4': [
    {
      name: 'Hugo Martins',
      rating: 5,
      daysAgo: 8,
      text: 'Silent, cool, and I charge it every second evening. Sky Blue is so pale that it changes with the light.',
    },
    {
      name: 'Ingrid Solberg',
      rating: 5,
      daysAgo: 29,
      text: 'Wrote my thesis on it in trains. Never once looked for a socket.',
    },
    {
      name: 'Ben Adeyemi',
      rating: 4,
      daysAgo: 73,
      text: 'Perfect for code and mail. Take more memory than you think if you run containers.',
    },
    {
      name: 'Alessia Conti',
      rating: 5,
      daysAgo: 164,
      text: 'Drives two displays with the lid open, which my old one could not do.',
    },
  ],
  'macbook-air-15-m4': [
    {
      name: 'Katarina Jovic',
      rating: 5,
      daysAgo: 51,
      text: 'All the screen of a big laptop without the weight. The speakers surprised me most.',
    },
    {
      name: 'Sean Gallagher',
      rating: 4,
      daysAgo: 133,
      text: 'Lovely machine. It only just fits my bag, so measure first.',
    },
  ],
  'macbook-pro-14-m5': [
    {
      name: 'Priya Raman',
      rating: 5,
      daysAgo: 17,
      text: 'Compiles our whole project in the time my old one needed to open the editor. The fan has not made a sound yet.',
    },
    {
      name: 'Oskar Lindholm',
      rating: 5,
      daysAgo: 44,
      text: 'The screen outdoors is a revelation. I work on the balcony now.',
    },
    {
      name: 'Maria Delgado',
      rating: 4,
      daysAgo: 97,
      text: 'Fast and sturdy, heavier than an Air. I knew that and would choose it again.',
    },
  ],
  'macbook-pro-16-m4-pro': [
    {
      name: 'Felix Baumann',
      rating: 5,
      daysAgo: 70,
      text: 'Edits 8K footage on battery. It replaced a tower under my desk, cables and all.',
    },
    {
      name: 'Zoe Hamilton',
      rating: 4,
      daysAgo: 182,
      text: 'It does everything, and you notice it on your shoulder. Battery is astonishing.',
    },
  ],
  'ipad-air-11-m3': [
    {
      name: 'Nora Eriksen',
      rating: 5,
      daysAgo: 21,
      text: 'Draws, reads, takes notes in lectures. With the Pencil it has replaced three notebooks.',
    },
    {
      name: 'Gabriel Santos',
      rating: 4,
      daysAgo: 83,
      text: 'Plenty fast. I got the 128 and wish I had taken the 256, films fill it quickly.',
    },
    {
      name: 'Emily Watson',
      rating: 5,
      daysAgo: 151,
      text: 'Right size for the sofa and for the tray table on a plane.',
    },
  ],
  'ipad-a16': [
    {
      name: 'Anja Krüger',
      rating: 5,
      daysAgo: 36,
      text: 'For recipes, homework and video calls with grandmother. Nothing more is needed at this price.',
    },
    {
      name: 'Kwame Mensah',
      rating: 4,
      daysAgo: 112,
      text: 'Solid and cheerful. The screen reflects a little in the sun.',
    },
  ],
  'ipad-mini-a17-pro': [
    {
      name: 'Louise Bernard',
      rating: 5,
      daysAgo: 40,
      text: 'It lives in my coat pocket. The best thing to read on that I know.',
    },
    {
      name: 'Hiroshi Sato',
      rating: 4,
      daysAgo: 124,
      text: 'I fly small aircraft and use it for charts. Bright enough in the cockpit, and it never stutters.',
    },
    {
      name: 'Tess de Boer',
      rating: 5,
      daysAgo: 226,
      text: 'Small, fast, light. I had forgotten how pleasant that is.',
    },
  ],
  'ipad-pro-11-m5': [
    {
      name: 'Daniel Osei',
      rating: 5,
      daysAgo: 25,
      text: 'The blacks on this screen are really black. Retouching photographs on it is a joy.',
    },
    {
      name: 'Klara Svobodová',
      rating: 4,
      daysAgo: 91,
      text: 'More power than I can use. Paid for the screen and have not regretted it.',
    },
  ],
  'apple-watch-series-11': [
    {
      name: 'Jack Thornton',
      rating: 5,
      daysAgo: 15,
      text: 'A full day and a night with sleep tracking, then ten minutes on the charger while I shower.',
    },
    {
      name: 'Beatriz Lopes',
      rating: 4,
      daysAgo: 69,
      text: 'Nudges me to stand up, and I do. The straps from my old one still fit.',
    },
    {
      name: 'Anton Keller',
      rating: 5,
      daysAgo: 175,
      text: 'The glass took a knock against a door frame that would have ended the one before.',
    },
  ],
  'apple-watch-ultra-3': [
    {
      name: 'Freya Nilsen',
      rating: 5,
      daysAgo: 31,
      text: 'Four days in the mountains, one charge, and the track home when fog came in. Worth every satoshi.',
    },
    {
      name: 'Matteo Greco',
      rating: 4,
      daysAgo: 136,
      text: 'It is large on my wrist and I stopped noticing within a week. Diving mode works as promised.',
    },
  ],
  'mac-mini-m4': [
    {
      name: 'Rory Campbell',
      rating: 5,
      daysAgo: 48,
      text: 'Absurdly small. It sits behind the screen and runs our whole home.',
    },
    {
      name: 'Elif Yıldız',
      rating: 5,
      daysAgo: 107,
      text: 'Replaced a noisy tower in the studio. I hear the room again.',
    },
    {
      name: 'Marek Zielinski',
      rating: 4,
      daysAgo: 211,
      text: 'Best value they make. The power button underneath is an odd idea.',
    },
  ],
  'imac-24-m4-10-core': [
    {
      name: 'Harriet Cole',
      rating: 5,
      daysAgo: 86,
      text: 'It brightens the whole reception. One cable, and our guests ask where the computer is.',
    },
    {
      name: 'Luca Moretti',
      rating: 4,
      daysAgo: 198,
      text: 'Great for the family. I would love a bigger one, but the desk would not.',
    },
  ],
};
