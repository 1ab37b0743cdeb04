! Orders and what they cost.
module shop
  use iso_fortran_env, only: real64
  implicit none
  private
  public :: total, order

  real(real64), parameter :: rate = 0.19_real64

  !> An order of some lines.
  type, public :: order
    real(real64), allocatable :: lines(:)
    character(len=20) :: name
  end type order

  interface price
    module procedure total
  end interface price

contains

  ! subroutine commented()

  !> Adds up what the lines cost.
  pure function total(o) result(sum)
    type(order), intent(in) :: o
    real(real64) :: sum
    integer :: i
    sum = 0
    do i = 1, size(o%lines)
      if (o%lines(i) > 0) then
        sum = sum + with_tax(o%lines(i))
      end if
    end do
  end function total

  real(real64) elemental function with_tax(amount)
    real(real64), intent(in) :: amount
    with_tax = amount * (1 + rate)
  end function

  SUBROUTINE show(o)
    type(order), intent(in) :: o
    print *, "subroutine quoted()", total(o)
  contains
    integer function twice(i)
      integer, intent(in) :: i
      twice = 2 * i
    end function twice
  END SUBROUTINE show

end module shop

program main
  use shop
  call show(order([1.0d0, 2.0d0], 'it''s'))
end program main
