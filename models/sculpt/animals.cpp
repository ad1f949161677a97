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
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Eyes like the glass beads of a toy: a ball half sunk in a wide, shallow socket. `place` is on the
// surface at +x, `outward` the way it looks.
void addEyes(Lump& head, const Vector3d& place, const Vector3d& outward, double radius) {
  const Vector3d look = outward / outward.norm();
  head.carveBoth(ball(place + 1.5 * radius * look, 2.0 * radius, 0.8));
  head.addBoth(ball(place - 0.45 * radius * look, radius, 0.3));
}

// A smile: a groove over the surface of `face`, symmetric, whose corners lie `rise` higher than its
// middle. Directions are seen from the egg's centre with z = 1; the curve is a parabola in them.
void carveSmile(Lump& head, const Egg& face, double middle, double width, double rise,
                double radius) {
  const auto lip = [&](double share) {
    const Vector3d direction(share * width, middle + rise * share * share, 1.0);
    return face.towards(direction);
  };
  const Vector3d first = lip(0.25);
  head.carve(cone({-first.x(), first.y(), first.z()}, radius, first, radius, 0.4));
  head.carveBoth(cone(first, radius, lip(0.6), radius, 0.4));
  head.carveBoth(cone(lip(0.6), radius, lip(1.0), 0.9 * radius, 0.4));
}

}  // namespace

Sculpture rhino() {
  const Egg skull{{0, 33, 17}, {17.2, 16, 16}};
  const Egg snout{{0, 26, 29}, {13.5, 11, 12}};
  const Egg barrel{{0, 28.5, -10}, {20.8, 19.2, 21}};

  Lump legs(3.0);
  legs.addBoth(cone({11.5, 20, 2}, 9.0, {12.5, 6, 3}, 8.4, 0.0));
  legs.addBoth(cone({11.5, 20, -23}, 9.0, {12.5, 6, -24}, 8.4, 0.0));
  for (const double z : {3.0, -24.0}) {
    legs.addBoth(egg({{12.9, 2.8, z + 7.6}, {3.0, 3.5, 2.6}}, 1.4));
    legs.addBoth(egg({{7.4, 2.8, z + 5.8}, {2.9, 3.4, 2.6}}, 1.4));
    legs.addBoth(egg({{18.3, 2.8, z + 5.2}, {2.9, 3.4, 2.6}}, 1.4));
  }
  legs.standOnFloor();

  Lump body(5.0);
  body.add(egg(barrel, 0.0));
  body.add(egg({{0, 27.5, -21}, {19.8, 18.2, 13.5}}, 4.0));  // rump

  Lump ears(1.5);
  const Vector3d earUp(0.45, 1.0, -0.1);
  const Matrix3d earAxes = axesAlong(earUp, {0.3, 0.0, 1.0});
  const Vector3d ear(13.5, 50, 11);
  ears.addBoth(egg({ear, {5.6, 9.0, 4.0}, earAxes}, 0.0));
  ears.carveBoth(cone(ear + earAxes * Vector3d(0, -1.5, 5.0), 3.6,
                      ear + earAxes * Vector3d(0, 3.6, 4.6), 2.8, 0.8));

  Lump head(4.0);
  head.add(egg(skull, 0.0)).add(egg(snout, 7.0));
  head.carveBoth(
      egg({{6.2, 30.0, 39.2}, {1.9, 1.5, 2.0}, axesAlong({-0.4, 1, 0}, {0.3, 0, 1})}, 0.6));
  carveSmile(head, snout, -0.48, 0.85, 0.26, 1.0);
  addEyes(head, skull.towards({0.80, 0.14, 0.66}), {0.8, 0.12, 0.6}, 3.8);

  Lump horns(1.6);
  horns.rope({{{0, 31, 35}, 6.6}, {{0, 40, 40.5}, 4.6}, {{0, 47, 43.0}, 3.1}, {{0, 54, 43.6}, 1.7}},
             1.2);
  horns.rope({{{0, 40, 26}, 5.4}, {{0, 46.5, 29.2}, 3.5}, {{0, 53, 30.6}, 1.8}}, 1.2);

  Lump tail(3.0);
  tail.rope(
      {{{0, 33, -28}, 5.0}, {{0, 34.5, -38}, 4.4}, {{0, 38.5, -43}, 4.1}, {{0, 45, -45.5}, 4.0}},
      1.5);
  tail.add(cone({0, 47, -46}, 5.6, {0, 54, -47.5}, 2.2, 1.5));

  return inMetres({legs, body, ears, head, horns, tail}, {0, 0, 2.5});
}

Sculpture bear() {
  const Egg skull{{0, 50, 1}, {21, 18, 17}};
  const Egg snout{{0, 44.5, 14.5}, {10.4, 8.4, 7.8}};
  const Egg belly{{0, 20.5, -3}, {18.5, 21.8, 16.5}};

  Lump legs(3.0);
  legs.addBoth(cone({11, 9.5, 2}, 9.0, {16, 8.5, 20}, 7.4, 0.0));
  const Matrix3d sole = axesAlong({0.18, 1, -0.12}, {0.32, 0.0, 1});
  const Vector3d foot(17.5, 8.8, 23.5);
  legs.addBoth(egg({foot, {8.8, 10.2, 5.8}, sole}, 2.0));
  legs.carveBoth(egg({foot + sole * Vector3d(0, -2.6, 6.0), {4.3, 3.7, 2.0}, sole}, 0.6));
  legs.carveBoth(ball(foot + sole * Vector3d(-4.3, 3.6, 5.6), 1.7, 0.5));
  legs.carveBoth(ball(foot + sole * Vector3d(0.0, 5.4, 5.5), 1.8, 0.5));
  legs.carveBoth(ball(foot + sole * Vector3d(4.3, 3.6, 5.6), 1.7, 0.5));
  legs.standOnFloor();

  Lump arms(3.0);
  arms.addBoth(cone({14.5, 33, 1}, 6.6, {26, 23.5, 9}, 6.0, 0.0));
  arms.addBoth(ball({27, 22.7, 10}, 7.0, 2.0));

  Lump body(3.0);
  body.add(egg(belly, 0.0));
  body.add(egg({{0, 19.5, 7.0}, {12.5, 13, 8.5}}, 0.8));  // the light patch on the belly
  body.add(ball({0, 10, -19}, 5.6, 1.5));                 // tail
  body.standOnFloor();

  Lump ears(2.0);
  const Matrix3d earAxes = axesAlong({0.6, 1, 0}, {0.12, 0, 1});
  const Vector3d ear(17.2, 65.5, -1);
  ears.addBoth(egg({ear, {8.0, 8.0, 5.0}, earAxes}, 0.0));
  ears.carveBoth(ball(ear + earAxes * Vector3d(0, 0.4, 7.4), 5.6, 0.9));

  Lump head(2.5);
  head.add(egg(skull, 0.0)).add(egg(snout, 2.0));
  head.add(egg({{0, 48.8, 20.4}, {4.2, 3.0, 2.7}}, 0.5));  // nose
  head.carve(cone({0, 46.0, 22.6}, 0.9, {0, 42.2, 22.2}, 0.9, 0.4));
  carveSmile(head, snout, -0.36, 0.78, 0.22, 0.9);
  addEyes(head, skull.towards({0.48, 0.16, 0.95}), {0.3, 0.12, 0.95}, 3.2);

  return inMetres({legs, arms, body, ears, head}, {0, 0, -2.5});
}

Sculpture rabbit() {
  const Egg skull{{0, 42, 4}, {17.5, 15, 15}};
  const Egg haunch{{13.5, 11.5, -2}, {8, 11.5, 13}};

  Lump legs(2.0);
  legs.addBoth(egg(haunch, 0.0));
  legs.addBoth(egg({{12, 4.4, 11}, {6.8, 5.2, 13.0}, axesAlong({0, 1, 0}, {0.22, 0, 1})}, 1.5));
  legs.addBoth(ball({10.6, 4.6, 20.6}, 3.0, 1.8));
  legs.addBoth(ball({14.5, 4.8, 21.6}, 3.2, 1.8));
  legs.addBoth(ball({17.9, 4.6, 19.0}, 3.0, 1.8));
  legs.standOnFloor();

  Lump body(3.0);
  body.add(egg({{0, 18, -4}, {15, 19, 15}}, 0.0));
  body.add(egg({{0, 21, 5}, {10.5, 12, 8.5}}, 1.5));
  body.add(ball({0, 11, -21.5}, 6.8, 1.2));  // cotton tail
  body.standOnFloor();

  Lump arms(2.0);
  arms.addBoth(cone({10.5, 27, 6}, 5.0, {8.0, 18.5, 15.0}, 4.2, 0.0));
  arms.addBoth(ball({7.8, 17.6, 16.0}, 4.9, 1.5));

  Lump ears(2.5);
  const Matrix3d earAxes = axesAlong({0.2, 1, -0.12}, {0.25, 0, 1});
  const Vector3d ear(9.8, 65.5, -1.0);
  ears.addBoth(egg({ear, {6.4, 19.5, 4.8}, earAxes}, 0.0));
  ears.carveBoth(cone(ear + earAxes * Vector3d(0, -6, 6.2), 4.2,
                      ear + earAxes * Vector3d(0, 11, 5.2), 2.8, 0.9));

  Lump head(2.0);
  head.add(egg(skull, 0.0));
  head.addBoth(egg({{10, 37.6, 9.5}, {8.0, 6.6, 7.6}}, 4.0));  // cheeks
  addEyes(head, skull.towards({0.60, 0.16, 0.8}), {0.5, 0.12, 0.85}, 3.5);
  Lump face(1.5);
  face.addBoth(egg({{3.9, 38.2, 17.6}, {5.0, 4.2, 4.6}}, 0.8));  // whisker pads
  face.addBoth(egg({{1.6, 34.4, 17.2}, {2.3, 3.4, 2.5}}, 0.4));  // teeth
  face.add(egg({{0, 42.0, 19.2}, {3.1, 2.5, 3.2}}, 0.5));        // nose

  return inMetres({legs, body, arms, ears, head, face}, {0, 0, 1.5});
}

Sculpture duck() {
  const Egg skull{{0, 46, 8}, {15, 14.5, 14.5}};

  Lump feet(1.5);
  feet.addBoth(cone({9.4, 12, -2}, 4.6, {9.4, 4, -2.5}, 4.2, 0.0));
  feet.addBoth(cone({9.4, 2.2, -3}, 4.0, {6.0, 2.2, 10.5}, 2.9, 1.5));
  feet.addBoth(cone({9.4, 2.2, -3}, 4.0, {10.6, 2.2, 12.5}, 2.9, 1.5));
  feet.addBoth(cone({9.4, 2.2, -3}, 4.0, {15.4, 2.2, 9.0}, 2.9, 1.5));
  feet.addBoth(egg({{9.6, 1.6, 4.5}, {6.0, 2.6, 6.5}}, 1.5));
  feet.standOnFloor();

  Lump body(3.0);
  body.add(egg({{0, 20, -4}, {18, 14.5, 20}}, 0.0));
  body.add(egg({{0, 22, 6}, {14.5, 13, 12}}, 3.0));

  Lump tail(4.0);
  tail.addBoth(
      egg({{4.2, 29, -24}, {3.6, 3.4, 9.5}, axesAlong({-0.2, 1, 0.8}, {-0.35, -0.75, 1})}, 0.0));
  tail.add(egg({{0, 31, -25}, {3.8, 3.6, 10.5}, axesAlong({0, 1, 0.85}, {0, -0.85, 1})}, 0.6));

  Lump wings(1.5);
  const Matrix3d wing = axesAlong({-0.22, 1, 0.2}, {0.12, -0.3, 1});
  const Vector3d shoulder(17.2, 23, -4);
  wings.addBoth(egg({shoulder, {4.8, 9.0, 13.0}, wing}, 0.0));
  wings.addBoth(egg({shoulder + wing * Vector3d(0.8, 1.8, -9.0), {4.0, 6.2, 11.0}, wing}, 2.0));
  wings.carveBoth(cone(shoulder + wing * Vector3d(5.3, -1.6, -3), 0.9,
                       shoulder + wing * Vector3d(3.8, -1.8, -19), 1.2, 0.5));
  wings.carveBoth(cone(shoulder + wing * Vector3d(5.3, 2.8, -3), 0.9,
                       shoulder + wing * Vector3d(3.8, 3.8, -18), 1.2, 0.5));

  Lump head(3.5);
  head.add(egg(skull, 0.0));
  head.addBoth(egg({{8.5, 42, 13}, {6.5, 6.0, 6.5}}, 5.0));  // cheeks
  addEyes(head, skull.towards({0.60, 0.26, 0.78}), {0.55, 0.16, 0.8}, 3.5);

  Lump bill(1.2);
  bill.add(egg({{0, 43.0, 23.5}, {10.0, 3.6, 11.0}, axesAlong({0, 1, 0.22}, {0, 0, 1})}, 0.0));
  bill.add(egg({{0, 38.6, 21.0}, {7.8, 3.0, 8.0}}, 0.4));
  bill.carveBoth(egg({{2.8, 46.2, 26.5}, {1.1, 1.1, 1.6}}, 0.4));

  Lump tuft(1.5);
  tuft.rope(
      {{{0, 58, 7}, 3.8}, {{0, 62.2, 4.0}, 3.0}, {{0, 63.8, 0.0}, 2.4}, {{0, 63.4, -3.6}, 1.9}},
      1.0);

  return inMetres({feet, body, tail, wings, head, bill, tuft});
}

Sculpture turtle() {
  const Egg skull{{0, 31.5, 32}, {14.5, 13.5, 13.5}};
  const Egg dome{{0, 16, -7}, {25, 23, 28}};

  Lump legs(2.0);
  legs.addBoth(cone({15, 13, 11}, 7.5, {20, 6, 15}, 7.0, 0.0));
  legs.addBoth(cone({14, 13, -23}, 7.2, {18, 6, -28}, 6.8, 0.0));
  for (const double x : {15.4, 20.4, 25.0}) {
    legs.addBoth(ball({x, 3.0, 20.8 - 0.06 * (x - 19.0) * (x - 19.0)}, 2.9, 1.2));
  }
  for (const double x : {13.8, 18.6, 23.0}) {
    legs.addBoth(ball({x, 3.0, -22.6 - 0.06 * (x - 17.0) * (x - 17.0)}, 2.7, 1.2));
  }
  legs.standOnFloor();

  Lump shell(1.5);
  shell.add(egg(dome, 0.0));
  shell.standOnFloor(13.0, 2.0);
  const auto groove = [&](double x0, double z0, double x1, double z1) {
    const auto place = [&](double x, double z) {
      const Vector3d on = dome.towards({x, 1.0, z});
      return Vector3d(on + 0.5 * (on - dome.centre) / (on - dome.centre).norm());
    };
    return cone(place(x0, z0), 1.3, place(x1, z1), 1.3, 0.5);
  };
  shell.carve(groove(-0.3, 0.5, 0.3, 0.5));
  shell.carve(groove(-0.3, -0.5, 0.3, -0.5));
  shell.carveBoth(groove(0.3, 0.5, 0.6, 0.0));
  shell.carveBoth(groove(0.3, -0.5, 0.6, 0.0));
  shell.carveBoth(groove(0.3, 0.5, 0.45, 1.05));
  shell.carveBoth(groove(0.45, 1.05, 0.52, 1.45));
  shell.carveBoth(groove(0.3, -0.5, 0.45, -1.05));
  shell.carveBoth(groove(0.45, -1.05, 0.9, -3.6));
  shell.carveBoth(groove(0.6, 0.0, 1.1, 0.0));
  shell.carveBoth(groove(1.1, 0.0, 3.4, 0.0));
  shell.add(egg({{0, 14.5, -7}, {28.5, 5.0, 31.5}}, 1.0));  // rim

  Lump belly(2.0);
  belly.add(egg({{0, 12, -7}, {22, 6.5, 26}}, 0.0));

  Lump head(1.5);
  head.add(cone({0, 15, 17}, 8.0, {0, 24, 29}, 8.0, 0.0));
  head.add(egg(skull, 3.0));
  head.carveBoth(egg({{2.2, 31.0, 45.5}, {0.9, 0.8, 1.2}}, 0.4));  // nostrils
  carveSmile(head, skull, -0.42, 0.66, 0.22, 1.0);
  addEyes(head, skull.towards({0.55, 0.22, 0.85}), {0.5, 0.12, 0.85}, 3.7);

  Lump tail(1.0);
  // blunt: a thinner tip is lost when there are a thousand triangles for all of it
  tail.add(cone({0, 11, -34}, 5.0, {0, 8.5, -42.6}, 2.8, 0.0));

  return inMetres({legs, belly, shell, head, tail}, {0, 0, -0.5});
}

Sculpture monkey() {
  const Egg skull{{0, 48, 2}, {17.5, 16, 15}};
  const Egg muzzle{{0, 41.5, 11.5}, {12, 8.4, 8.6}};

  Lump legs(2.0);
  legs.addBoth(cone({8.5, 8, 2}, 6.8, {14.5, 7.5, 16}, 5.6, 0.0));
  legs.addBoth(egg({{16, 7.5, 21}, {5.6, 8.0, 5.4}, axesAlong({0.1, 1, -0.1}, {0.3, 0, 1})}, 1.5));
  legs.addBoth(cone({12.5, 9.0, 21}, 3.4, {9.0, 12.0, 22.5}, 2.9, 1.0));  // big toe
  legs.standOnFloor();

  Lump arms(2.5);
  arms.ropeBoth(
      {{{11, 32, 0}, 5.6}, {{23.5, 25, -2}, 4.9}, {{28.5, 15, -1}, 4.7}, {{29.5, 7, 2}, 4.6}}, 2.0);
  arms.addBoth(egg({{30, 5.0, 4.5}, {5.6, 5.4, 7.2}}, 1.5));
  arms.standOnFloor();

  Lump body(3.0);
  body.add(egg({{0, 17.5, -2}, {14.5, 20, 13.5}}, 0.0));
  body.add(egg({{0, 17.5, 5}, {9.5, 12.5, 7.6}}, 0.8));
  body.standOnFloor();

  Lump ears(1.8);
  const Matrix3d earAxes = axesAlong({0.1, 1, 0}, {0.25, 0, 1});
  const Vector3d ear(21.5, 49, 0);
  ears.addBoth(egg({ear, {9.2, 9.8, 5.0}, earAxes}, 0.0));
  ears.carveBoth(ball(ear + earAxes * Vector3d(0.8, 0, 8.0), 6.6, 0.9));

  Lump face(0.8);
  face.addBoth(
      egg({{5.8, 51.0, 11.6}, {7.6, 8.0, 6.4}, axesAlong({0, 1, -0.15}, {0.25, 0, 1})}, 1.0));
  face.add(egg(muzzle, 1.2));
  face.carveBoth(egg({{2.0, 45.0, 19.6}, {0.9, 1.1, 1.4}}, 0.4));
  carveSmile(face, muzzle, -0.38, 0.95, 0.26, 1.0);
  addEyes(face, {6.0, 51.4, 17.8}, {0.15, 0.05, 1}, 3.2);

  Lump head(0.9);
  head.add(egg(skull, 0.0));
  head.add(cone({0, 60, 4}, 4.0, {0, 65, 5.5}, 2.4, 3.0));
  head.add(cone({0, 65, 5.5}, 2.4, {0, 67.5, 8.5}, 1.8, 0.0));

  // The tail lies behind the body and curls up beside it, to the monkey's left.
  Lump tail(2.5);
  tail.rope({{{0, 5.5, -11}, 4.5},
             {{9, 4.2, -18.5}, 4.4},
             {{19, 5.5, -22}, 4.3},
             {{28, 12, -22.5}, 4.2},
             {{34, 22, -22}, 4.1},
             {{35, 32, -21.5}, 4.1},
             {{30, 40, -21}, 4.0},
             {{22, 41, -21}, 4.0},
             {{17.5, 35.5, -21}, 4.0},
             {{21, 29.5, -21}, 4.0}},
            2.0);
  tail.standOnFloor();

  return inMetres({legs, arms, body, ears, head, face, tail}, {0, 0, -5.5});
}

}  // namespace tactus::models
