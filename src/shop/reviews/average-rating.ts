/** Mean of ratings from 1 to 5, rounded to one decimal, half up; null without ratings. */
export function computeAverageRating(ratings: readonly number[]): number | null {
  if (ratings.length === 0) return null;
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  return Math.round((sum * 10) / ratings.length) / 10;
}
