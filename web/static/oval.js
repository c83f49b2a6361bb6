// Places round an oval, evenly along its edge (even angles would crowd the ends).

const STEPS = 720;

// `count` places, clockwise from the bottom, on the ellipse with half-axes `wide` and `high` about `middle`.
export function around(count, middle, wide, high) {
  const point = n => {
    const angle = Math.PI / 2 + (2 * Math.PI * n) / STEPS;
    return { x: middle.x + wide * Math.cos(angle), y: middle.y + high * Math.sin(angle) };
  };
  const lengths = [0];
  for (let n = 1; n <= STEPS; n += 1) {
    const from = point(n - 1), to = point(n);
    lengths.push(lengths[n - 1] + Math.hypot(to.x - from.x, to.y - from.y));
  }
  return Array.from({ length: count }, (_, k) => {
    const wanted = (lengths[STEPS] * k) / count;
    return point(lengths.findIndex(length => length >= wanted - 1e-9));
  });
}
