#include "models/sculpt/animals.hpp"

#include "models/sculpt/clay.hpp"

namespace tactus::models {
namespace {

using clay::axesAlong;
using clay::ball;
using clay::cone;
using clay::Egg;
using clay::egg;
using clay::inMetres;
using clay::Lump;
using Eigen::Vector3d;

// Eyes in the manner of a toy: a ball that stands out of a wide, shallow socket, with a hollow for
// the pupil. `place` is on the surface at +x, `outward` the way it looks (unit length).
void addEyes(Lump& head, const Vector3d& place, const Vector3d& outward, double radius) {
  const Vector3d look = outward / outward.norm();
  head.carveBoth(ball(place + 0.55 * radius * look, 1.35 * radius, 0.8));
  head.addBoth(ball(place - 0.35 * radius * look, radius, 0.5));
  head.carveBoth(ball(place + 1.0 * radius * look, 0.62 * radius, 0.3));
}

// A smile: a groove along the surface of `face`, from one corner over the middle to the other.
void carveSmile(Lump& head, const Egg& face, const Vector3d& corner, const Vector3d& lip,
                double radius) {
  const Vector3d right = face.towards(corner);
  const Vector3d middle = face.towards(lip);
  const Vector3d half = face.towards(Vector3d(
      0.55 * (corner + lip).x(), 0.5 * (corner + lip).y() - 0.12, 0.5 * (corner + lip).z()));
  Vector3d centreRight = middle;
  centreRight.x() = 0.35 * half.x();
  head.carve(cone(Vector3d(-centreRight.x(), centreRight.y(), centreRight.z()), radius, centreRight,
                  radius, 0.5));
  head.carveBoth(cone(centreRight, radius, half, radius, 0.5));
  head.carveBoth(cone(half, radius, right, radius, 0.5));
}

}  // namespace

Sculpture rhino() {
  const Egg skull{{0, 33, 18}, {15.5, 14.5, 15.5}};
  const Egg snout{{0, 26, 30}, {12.5, 10.5, 11}};
  const Egg barrel{{0, 28, -11}, {20, 18.5, 23}};

  Lump legs(3.0);
  legs.addBoth(cone({11.5, 20, 4}, 9.0, {12.5, 6, 5}, 8.2, 0.0));
  legs.addBoth(cone({11.5, 20, -23}, 9.0, {12.5, 6, -24}, 8.2, 0.0));
  for (const double z : {5.0, -24.0}) {
    legs.addBoth(egg({{12.7, 2.6, z + 8.0}, {2.7, 3.2, 2.4}}, 0.7));
    legs.addBoth(egg({{7.6, 2.6, z + 6.4}, {2.6, 3.2, 2.4}}, 0.7));
    legs.addBoth(egg({{17.8, 2.6, z + 6.0}, {2.6, 3.2, 2.4}}, 0.7));
  }
  legs.standOnFloor();

  Lump body(5.0);
  body.add(egg(barrel, 0.0));
  body.add(egg({{0, 30, -2}, {20.5, 18.5, 8.5}}, 1.0));     // the fold behind the shoulder
  body.add(egg({{0, 28.5, -26}, {18.2, 17.0, 9.5}}, 1.0));  // the fold before the rump

  Lump ears(1.5);
  const Vector3d earUp(0.42, 1.0, -0.1);
  const Vector3d earFront(0.25, 0.0, 1.0);
  ears.addBoth(egg({{12.5, 49, 12}, {5.2, 8.5, 3.6}, axesAlong(earUp, earFront)}, 0.0));
  ears.carveBoth(egg({{13.6, 50, 15.8}, {2.8, 5.8, 2.4}, axesAlong(earUp, earFront)}, 0.8));

  Lump head(4.0);
  head.add(egg(skull, 0.0)).add(egg(snout, 7.0));
  head.carveBoth(egg({{5.6, 30.5, 39.4}, {1.9, 1.4, 2.2}}, 0.6));  // nostrils
  carveSmile(head, snout, {0.95, -0.22, 0.72}, {0, -0.42, 1}, 0.9);
  addEyes(head, skull.towards({0.78, 0.22, 0.62}), {0.8, 0.2, 0.6}, 3.4);

  Lump horns(1.6);
  horns.add(cone({0, 32, 37}, 5.6, {0, 41, 41.5}, 3.9, 0.0));
  horns.add(cone({0, 41, 41.5}, 3.9, {0, 50, 42}, 1.6, 1.5));
  horns.add(cone({0, 40, 29}, 4.2, {0, 50, 31.5}, 1.6, 0.0));

  Lump tail(3.0);
  tail.add(cone({0, 34, -32}, 4.0, {0, 38, -40}, 3.2, 0.0));
  tail.add(cone({0, 38, -40}, 3.2, {0, 44, -44}, 3.0, 2.0));
  tail.add(egg({{0, 48.5, -46}, {4.6, 6.2, 4.6}, axesAlong({0, 1, -0.35}, {0, 0, 1})}, 1.2));

  return inMetres({legs, body, ears, head, horns, tail});
}

Sculpture bear() {
  const Egg skull{{0, 50, 1}, {20, 17.5, 16.5}};
  const Egg snout{{0, 45, 14.5}, {9.2, 7.4, 7}};
  const Egg belly{{0, 21, -3}, {18.5, 21, 16.5}};

  Lump legs(3.0);
  legs.addBoth(cone({11, 9.5, 2}, 9.0, {16, 8.5, 20}, 7.2, 0.0));
  const Vector3d footUp(0.18, 1, -0.12);
  const Vector3d sole(0.32, 0.0, 1);
  legs.addBoth(egg({{17.5, 10.0, 23.5}, {8.6, 10.0, 5.6}, axesAlong(footUp, sole)}, 2.0));
  legs.carveBoth(egg({{19.2, 7.6, 29.0}, {4.4, 3.8, 1.9}, axesAlong(footUp, sole)}, 0.6));
  legs.carveBoth(egg({{15.2, 13.8, 29.2}, {1.6, 1.7, 1.7}}, 0.5));
  legs.carveBoth(egg({{19.4, 15.0, 28.0}, {1.6, 1.7, 1.7}}, 0.5));
  legs.carveBoth(egg({{23.2, 13.6, 26.4}, {1.6, 1.7, 1.7}}, 0.5));
  legs.standOnFloor();

  Lump arms(3.0);
  arms.addBoth(cone({14.5, 33, 1}, 6.4, {25, 23.5, 9}, 6.0, 0.0));
  arms.addBoth(ball({26, 22.5, 10}, 6.9, 2.0));

  Lump body(3.0);
  body.add(egg(belly, 0.0));
  body.add(egg({{0, 20.5, 7.5}, {12.5, 14, 7.5}}, 0.8));  // the light patch on the belly
  body.add(ball({0, 10, -19}, 5.2, 1.5));                 // tail
  body.standOnFloor();

  Lump ears(2.0);
  ears.addBoth(egg({{16.5, 64.5, -1}, {7.6, 7.6, 4.8}, axesAlong({0.6, 1, 0}, {0.1, 0, 1})}, 0.0));
  ears.carveBoth(
      egg({{17.4, 65.4, 4.4}, {4.6, 4.6, 2.8}, axesAlong({0.6, 1, 0}, {0.1, 0, 1})}, 0.8));

  Lump head(2.5);
  head.add(egg(skull, 0.0)).add(egg(snout, 2.0));
  head.add(egg({{0, 48.6, 20.4}, {4.2, 3.1, 2.8}}, 0.5));  // nose
  head.carve(cone({0, 44.4, 22.0}, 0.9, {0, 41.8, 21.3}, 0.9, 0.5));
  carveSmile(head, snout, {0.62, -0.42, 0.9}, {0, -0.45, 1}, 0.9);
  addEyes(head, skull.towards({0.5, 0.2, 0.95}), {0.35, 0.12, 0.95}, 3.0);

  return inMetres({legs, arms, body, ears, head});
}

Sculpture rabbit() {
  const Egg skull{{0, 42, 4}, {17, 14.5, 15}};
  const Egg haunch{{13.5, 11.5, -2}, {8, 11.5, 13}};

  Lump legs(2.0);
  legs.addBoth(egg(haunch, 0.0));
  legs.addBoth(egg({{12, 4.2, 13}, {6.6, 5.0, 13.5}, axesAlong({0, 1, 0}, {0.22, 0, 1})}, 1.5));
  legs.carveBoth(cone({12.8, 5.2, 26.5}, 0.9, {12.2, 8.4, 22.5}, 0.9, 0.5));
  legs.carveBoth(cone({17.2, 4.8, 24.5}, 0.9, {16.4, 7.6, 20.5}, 0.9, 0.5));
  legs.standOnFloor();

  Lump body(3.0);
  body.add(egg({{0, 18, -4}, {15, 19, 15}}, 0.0));
  body.add(egg({{0, 21, 6}, {10.5, 11, 7.5}}, 1.5));
  body.add(ball({0, 11, -21}, 6.6, 1.2));  // cotton tail
  body.standOnFloor();

  Lump arms(2.0);
  arms.addBoth(cone({10.5, 27, 7}, 5.0, {7.5, 18.5, 15.5}, 4.2, 0.0));
  arms.addBoth(ball({7.2, 17.6, 16.4}, 4.9, 1.5));

  Lump ears(2.5);
  const Vector3d up(0.2, 1, -0.12);
  const Vector3d front(0.25, 0, 1);
  ears.addBoth(egg({{9.6, 66, -1.5}, {6.0, 19, 4.6}, axesAlong(up, front)}, 0.0));
  ears.carveBoth(egg({{10.6, 66.5, 3.4}, {3.4, 13.5, 3.0}, axesAlong(up, front)}, 0.9));

  Lump head(2.0);
  head.add(egg(skull, 0.0));
  head.addBoth(egg({{9.5, 37.2, 10.5}, {7.6, 6.2, 7.0}}, 3.0));  // cheeks
  Lump face(1.5);
  face.addBoth(egg({{3.7, 38.4, 18.2}, {4.8, 3.9, 4.2}}, 0.8));  // whisker pads
  face.add(egg({{0, 34.4, 18.2}, {3.0, 3.4, 2.4}}, 0.5));        // teeth
  face.add(egg({{0, 42.2, 20.4}, {2.7, 2.0, 2.2}}, 0.5));        // nose
  addEyes(head, skull.towards({0.62, 0.2, 0.8}), {0.5, 0.15, 0.85}, 3.3);

  return inMetres({legs, body, arms, ears, head, face});
}

Sculpture duck() {
  const Egg skull{{0, 45, 9}, {14.5, 14, 14}};

  Lump feet(1.5);
  feet.addBoth(cone({8.5, 12, 1}, 4.4, {8.5, 3.5, 2}, 4.0, 0.0));
  feet.addBoth(egg({{9.0, 2.4, 5}, {6.4, 3.4, 9.5}, axesAlong({0, 1, 0}, {0.2, 0, 1})}, 1.5));
  feet.addBoth(ball({5.5, 2.6, 13.0}, 2.7, 1.5));
  feet.addBoth(ball({10.8, 2.6, 14.6}, 2.7, 1.5));
  feet.addBoth(ball({15.6, 2.6, 11.8}, 2.7, 1.5));
  feet.standOnFloor();

  Lump body(3.0);
  body.add(egg({{0, 20, -3}, {17.5, 14.5, 21}}, 0.0));
  body.add(cone({0, 25, -18}, 9.0, {0, 35, -30}, 2.6, 6.0));
  body.add(egg({{0, 22, 9}, {13, 12.5, 11}}, 4.0));

  Lump wings(1.5);
  const Vector3d wingUp(-0.25, 1, 0.15);
  const Vector3d wingFront(0.1, -0.35, 1);
  wings.addBoth(egg({{17, 23, -6}, {4.6, 9.5, 15.5}, axesAlong(wingUp, wingFront)}, 0.0));
  wings.addBoth(cone({18, 27, -16}, 4.0, {20.5, 32, -24}, 2.2, 3.0));

  Lump head(3.5);
  head.add(egg(skull, 0.0));
  addEyes(head, skull.towards({0.62, 0.25, 0.75}), {0.6, 0.2, 0.75}, 3.1);

  Lump bill(1.0);
  bill.add(egg({{0, 42.0, 25}, {9.4, 3.2, 9.5}, axesAlong({0, 1, 0.12}, {0, 0, 1})}, 0.0));
  bill.add(egg({{0, 38.2, 22.5}, {7.6, 2.8, 7.5}}, 0.3));
  bill.carveBoth(egg({{2.8, 45.0, 28}, {1.0, 1.0, 1.6}}, 0.4));

  Lump tuft(1.5);
  tuft.add(cone({0, 57, 8}, 3.2, {0, 62, 4}, 2.2, 0.0));
  tuft.add(cone({0, 62, 4}, 2.2, {0, 63, -1}, 1.6, 1.0));

  return inMetres({feet, body, wings, head, bill, tuft});
}

Sculpture turtle() {
  const Egg skull{{0, 25, 32}, {13.5, 12.5, 12.5}};
  const Egg dome{{0, 15, -6}, {25, 22, 28}};

  Lump legs(1.5);
  legs.addBoth(cone({16, 11, 12}, 7.0, {24, 5, 18}, 6.2, 0.0));
  legs.addBoth(cone({15, 11, -23}, 6.6, {21, 5, -29}, 5.8, 0.0));
  legs.standOnFloor();

  Lump shell(1.5);
  shell.add(egg(dome, 0.0));
  shell.carve(egg({{0, -21, -6}, {80, 32, 80}}, 2.0));
  shell.add(egg({{0, 13, -6}, {28.5, 5.0, 31.5}}, 1.0));  // rim
  const auto scute = [&](const Vector3d& direction, double width, double height) {
    const Vector3d place = dome.towards(direction);
    const Vector3d normal =
        (place - dome.centre).cwiseQuotient(dome.halfAxes).cwiseQuotient(dome.halfAxes);
    return egg({place, {width, 1.7, height}, axesAlong(normal, {0, 0, 1})}, 0.8);
  };
  shell.add(scute({0, 1, 0.0}, 8.2, 7.4));
  shell.add(scute({0, 1, 0.82}, 7.4, 6.0));
  shell.add(scute({0, 1, -0.82}, 7.4, 6.0));
  shell.addBoth(scute({0.85, 1, 0.42}, 6.4, 6.4));
  shell.addBoth(scute({0.85, 1, -0.42}, 6.4, 6.4));

  Lump belly(1.5);
  belly.add(egg({{0, 10, -6}, {22, 6.0, 26}}, 0.0));

  Lump head(1.5);
  head.add(cone({0, 13, 18}, 7.5, {0, 20, 28}, 8.0, 0.0));
  head.add(egg(skull, 3.0));
  carveSmile(head, skull, {0.72, -0.28, 0.75}, {0, -0.38, 1}, 0.9);
  addEyes(head, skull.towards({0.55, 0.3, 0.8}), {0.5, 0.2, 0.85}, 3.2);

  Lump tail(1.0);
  tail.add(cone({0, 9, -34}, 4.5, {0, 7, -43}, 1.8, 0.0));

  return inMetres({legs, belly, shell, head, tail});
}

Sculpture monkey() {
  const Egg skull{{0, 48, 2}, {17, 15.5, 14.5}};
  const Egg muzzle{{0, 42, 11.5}, {11.5, 8.2, 8.0}};

  Lump legs(2.0);
  legs.addBoth(cone({8.5, 8, 2}, 6.6, {14.5, 8, 17}, 5.4, 0.0));
  legs.addBoth(egg({{16, 5.5, 21}, {5.8, 6.0, 8.5}, axesAlong({0, 1, 0}, {0.3, 0, 1})}, 1.5));
  legs.standOnFloor();

  Lump arms(2.5);
  arms.addBoth(cone({11, 32, 0}, 5.2, {25, 22, -1}, 4.8, 0.0));
  arms.addBoth(cone({25, 22, -1}, 4.8, {29, 6, 2}, 4.6, 1.0));
  arms.addBoth(egg({{29.5, 5.0, 3.5}, {5.4, 5.5, 7.0}}, 1.5));
  arms.standOnFloor();

  Lump body(3.0);
  body.add(egg({{0, 19, -2}, {14, 19, 13}}, 0.0));
  body.add(egg({{0, 18, 6}, {9.5, 12.5, 6.4}}, 0.8));
  body.standOnFloor();

  Lump ears(1.8);
  ears.addBoth(egg({{20.5, 49, 0}, {8.2, 8.8, 4.6}, axesAlong({0.1, 1, 0}, {0.2, 0, 1})}, 0.0));
  ears.carveBoth(egg({{22, 49, 4.6}, {4.8, 5.4, 2.8}, axesAlong({0.1, 1, 0}, {0.2, 0, 1})}, 0.8));

  Lump face(1.2);
  face.addBoth(
      egg({{5.4, 50.5, 11.5}, {7.0, 7.4, 4.6}, axesAlong({0, 1, -0.15}, {0.25, 0, 1})}, 1.5));
  face.add(egg(muzzle, 1.2));
  face.carveBoth(egg({{1.9, 44.6, 19.2}, {0.9, 1.1, 1.4}}, 0.4));
  carveSmile(face, muzzle, {0.8, -0.25, 0.75}, {0, -0.42, 1}, 0.9);
  addEyes(face, {5.6, 51.2, 15.8}, {0.2, 0.08, 1}, 2.9);

  Lump head(2.0);
  head.add(egg(skull, 0.0));
  head.add(cone({0, 60, 4}, 4.0, {0, 66, 6}, 1.8, 3.0));

  // The tail lies behind the body and curls up beside it, to the monkey's left.
  Lump tail(2.5);
  tail.add(cone({0, 7, -11}, 4.2, {9, 6.5, -20}, 4.2, 0.0));
  tail.add(cone({9, 6.5, -20}, 4.2, {21, 9, -23}, 4.1, 2.0));
  tail.add(cone({21, 9, -23}, 4.1, {30, 17, -23}, 4.0, 2.0));
  tail.add(cone({30, 17, -23}, 4.0, {33, 28, -22}, 3.9, 2.0));
  tail.add(cone({33, 28, -22}, 3.9, {28, 38, -21}, 3.8, 2.0));
  tail.add(cone({28, 38, -21}, 3.8, {18, 37, -21}, 3.7, 2.0));
  tail.add(cone({18, 37, -21}, 3.7, {17, 29, -21}, 3.8, 2.0));
  tail.standOnFloor();

  return inMetres({legs, arms, body, ears, head, face, tail});
}

}  // namespace tactus::models
