#include "studies/measures/measure_columns.hpp"

namespace tactus::studies {

const std::vector<MeasureColumn>& measureColumns() {
  static const std::vector<MeasureColumn> kColumns = {
      {"time", "s", "From the start signal to success, or to the end of the trial"},
      {"success", "1", "1 if the task was done within its time, else 0"},
      {"score", "1", "Objects in the player's own well at the end"},
      {"first_pocket", "s", "From the start signal to the first object in the own well"},
      {"path_left", "m", "Way of the left tool in the scene, after a 20 Hz zero-phase filter"},
      {"path_right", "m", "Way of the right tool in the scene, after a 20 Hz zero-phase filter"},
      {"path_dominant", "m", "Way of the dominant hand's tool in the scene"},
      {"path_other", "m", "Way of the other hand's tool in the scene"},
      {"device_path_dominant", "m", "Way of the dominant hand's device"},
      {"device_path_other", "m", "Way of the other hand's device"},
      {"turn_dominant", "rad", "Rotation of the dominant hand's tool, sum of |log(R^T R')|"},
      {"turn_other", "rad", "Rotation of the other hand's tool, sum of |log(R^T R')|"},
      {"euler_dominant", "rad", "The same as the sum of changes of Euler angles (the seed's form)"},
      {"euler_other", "rad", "The other hand's sum of changes of Euler angles (the seed's form)"},
      {"contact_time", "s", "Time in which a tool touched something"},
      {"contacts", "1", "How often a tool began to touch something"},
      {"force_peak", "N", "Largest force that a device gave"},
      {"force_mean", "N", "Mean force that the devices gave while something was touched"},
      {"torque_peak", "N m", "Largest torque that a device gave"},
      {"torque_mean", "N m", "Mean torque that the devices gave while something was touched"},
      {"penetration_peak", "m^3", "Largest volume that a tool shared with what it touched"},
      {"penetration_mean", "m^3", "Mean of that volume while something was touched"},
      {"work", "J", "Work that the hands did against the devices' forces"},
      {"smoothness", "1", "Minus the logarithm of the dimensionless jerk of the dominant hand"},
      {"coordination", "1", "Correlation of both hands' speeds"},
      {"dominant_right", "1", "1 if the right hand's way was the longer one, else 0"},
      {"stiffness_reference", "N/m", "Displayed stiffness of the reference, from force and depth"},
      {"stiffness_comparison", "N/m", "Displayed stiffness of the comparison"},
      {"difference", "N/m", "Nominal stiffness of the comparison minus that of the reference"},
      {"chose_comparison", "1", "1 if the comparison was said to be the stiffer one, else 0"}};
  return kColumns;
}

}  // namespace tactus::studies
