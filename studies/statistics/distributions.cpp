#include "studies/statistics/distributions.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/complement.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <limits>

namespace tactus::studies {
namespace {

namespace bm = boost::math;
namespace bp = boost::math::policies;

using Quiet =
    bp::policy<bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
               bp::overflow_error<bp::ignore_error>, bp::evaluation_error<bp::ignore_error>>;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double normalUpper(double z) noexcept {
  return bm::cdf(bm::complement(bm::normal_distribution<double, Quiet>(), z));
}

double normalQuantile(double probability) noexcept {
  return bm::quantile(bm::normal_distribution<double, Quiet>(), probability);
}

double studentUpper(double t, double degrees) noexcept {
  if (!(degrees > 0.0)) return kNothing;
  return bm::cdf(bm::complement(bm::students_t_distribution<double, Quiet>(degrees), t));
}

double studentQuantile(double probability, double degrees) noexcept {
  if (!(degrees > 0.0)) return kNothing;
  return bm::quantile(bm::students_t_distribution<double, Quiet>(degrees), probability);
}

double shiftedStudentUpper(double t, double degrees, double shift) noexcept {
  if (!(degrees > 0.0)) return kNothing;
  return bm::cdf(bm::complement(bm::non_central_t_distribution<double, Quiet>(degrees, shift), t));
}

double fisherUpper(double f, double degreesAbove, double degreesBelow) noexcept {
  if (!(degreesAbove > 0.0) || !(degreesBelow > 0.0) || !(f >= 0.0)) return kNothing;
  return bm::cdf(
      bm::complement(bm::fisher_f_distribution<double, Quiet>(degreesAbove, degreesBelow), f));
}

double chiSquareUpper(double x, double degrees) noexcept {
  if (!(degrees > 0.0) || !(x >= 0.0)) return kNothing;
  return bm::cdf(bm::complement(bm::chi_squared_distribution<double, Quiet>(degrees), x));
}

double gammaRatio(double a, double b) noexcept {
  if (!(a > 0.0) || !(b > 0.0)) return kNothing;
  return bm::tgamma_ratio(a, b, Quiet());
}

}  // namespace tactus::studies
